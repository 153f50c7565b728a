"""An independent reader of zen packages (the form of packages in IoStore containers), for `reader_ue4.py`.

Reads every form of the header, checks every hash, place and pad, the order of loading, and how bodies lie one
behind the other. Standard library only. Written from the description of the format; it shares nothing with the
library.
"""

import heapq
import struct

MASK = (1 << 64) - 1
K0, K1, K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
ALGORITHM = 0xC1640000
NULL = MASK
TAG = b'\xc1\x83\x2a\x9e'


class Unfit(Exception):
    """The bytes are not what the format says."""


def rotate(v, s):
    return (v >> s | v << 64 - s) & MASK


def swap(v):
    return int.from_bytes((v & MASK).to_bytes(8, 'little'), 'big')


def mix(v):
    v &= MASK
    return v ^ v >> 47


def pair(u, v, mul=0x9DDFEA08EB382D69):
    a = mix((u ^ v) * mul)
    return mix((v ^ a) * mul) * mul & MASK


def city(s):
    """CityHash64 of CityHash 1.1."""
    n = len(s)

    def word(i):
        return struct.unpack_from('<Q', s, i)[0]

    mul = K2 + n * 2 & MASK
    if n == 0:
        return K2
    if n < 4:
        return mix((s[0] + (s[n >> 1] << 8)) * K2 ^ (n + (s[-1] << 2)) * K0) * K2 & MASK
    if n < 8:
        low, high = struct.unpack_from('<I', s)[0], struct.unpack_from('<I', s, n - 4)[0]
        return pair(n + (low << 3), high, mul)
    if n <= 16:
        a, b = word(0) + K2 & MASK, word(n - 8)
        return pair((rotate(b, 37) * mul + a) & MASK, (rotate(a, 25) + b) * mul & MASK, mul)
    if n <= 32:
        a, b, c, d = word(0) * K1 & MASK, word(8), word(n - 8) * mul & MASK, word(n - 16) * K2 & MASK
        return pair((rotate(a + b & MASK, 43) + rotate(c, 30) + d) & MASK,
                    (a + rotate(b + K2 & MASK, 18) + c) & MASK, mul)
    if n <= 64:
        a, b, c, d = word(0) * K2 & MASK, word(8), word(n - 24), word(n - 32)
        e, f, g, h = word(16) * K2 & MASK, word(24) * 9 & MASK, word(n - 8), word(n - 16) * mul & MASK
        u = rotate(a + g & MASK, 43) + (rotate(b, 30) + c) * 9
        v = ((a + g & MASK) ^ d) + f + 1
        w = swap((u + v) * mul) + h
        x = rotate(e + f & MASK, 42) + c
        y = (swap((v + w) * mul) + g) * mul
        z = e + f + c
        a = swap((x + z) * mul + y) + b
        return mix((z + a) * mul + d + h) * mul + x & MASK

    def weak(i, a, b):
        w, x, y, z = word(i), word(i + 8), word(i + 16), word(i + 24)
        a = a + w & MASK
        b = rotate(b + a + z & MASK, 21)
        c = a
        a = a + x + y & MASK
        b = b + rotate(a, 44)
        return a + z & MASK, b + c & MASK

    x, y = word(n - 40), word(n - 16) + word(n - 56) & MASK
    z = pair(word(n - 48) + n & MASK, word(n - 24))
    v, w = weak(n - 64, n, z), weak(n - 32, y + K1 & MASK, x)
    x = x * K1 + word(0) & MASK
    for i in range(0, n - 1 & ~63, 64):
        x = rotate(x + y + v[0] + word(i + 8) & MASK, 37) * K1 & MASK
        y = rotate(y + v[1] + word(i + 48) & MASK, 42) * K1 & MASK
        x ^= w[1]
        y = y + v[0] + word(i + 40) & MASK
        z = rotate(z + w[0] & MASK, 33) * K1 & MASK
        v = weak(i, v[1] * K1 & MASK, x + w[0] & MASK)
        w = weak(i + 32, z + w[1] & MASK, y + word(i + 16) & MASK)
        z, x = x, z
    return pair((pair(v[0], w[0]) + mix(y) * K1 + z) & MASK, (pair(v[1], w[1]) + x) & MASK)


def lower(text):
    return ''.join(c.lower() if 'A' <= c <= 'Z' else c for c in text)


def name_hash(text):
    low = lower(text)
    return city(low.encode('ascii') if low.isascii() else low.encode('utf-16-le'))


def path_hash(text):
    return city(lower(text).replace('.', '/').replace(':', '/').encode('utf-16-le'))


def package_hash(text):
    return city(lower(text).encode('utf-16-le'))


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count < 0 or self.at + count > len(self.data):
            raise Unfit('%d bytes at %#x of %#x' % (count, self.at, len(self.data)))
        self.at += count
        return self.data[self.at - count:self.at]

    def read(self, form):
        return struct.unpack('<' + form, self.take(struct.calcsize('<' + form)))

    def one(self, form):
        return self.read(form)[0]

    def here(self, place, what):
        if self.at != place:
            raise Unfit('%s at %#x, the summary says %#x' % (what, self.at, place))

    def rows(self, form, until, what):
        size = struct.calcsize('<' + form)
        if until < self.at or (until - self.at) % size:
            raise Unfit('%s end at %#x, start at %#x' % (what, until, self.at))
        return [self.read(form) for _ in range((until - self.at) // size)]


def length_of(header):
    return (header & 0x7FFF) * (2 if header & 0x8000 else 1)


def text_of(raw, wide):
    text = raw.decode('utf-16-le') if wide else raw.decode('ascii')
    if wide == text.isascii():
        raise Unfit('%r is stored in the other width' % text)
    return text


def batch(r):
    count = r.one('I')
    if count == 0:
        return []
    size, algorithm = r.read('IQ')
    if algorithm != ALGORITHM:
        raise Unfit('hashes of kind %#x' % algorithm)
    hashes = [r.one('Q') for _ in range(count)]
    headers = [struct.unpack('>H', r.take(2))[0] for _ in range(count)]
    start = r.at
    texts = [text_of(r.take(length_of(h)), bool(h & 0x8000)) for h in headers]
    if r.at - start != size:
        raise Unfit('names of %d bytes, %d are said' % (r.at - start, size))
    for text, stored in zip(texts, hashes):
        if name_hash(text) != stored:
            raise Unfit('%r has the hash %#x' % (text, stored))
    return texts


def name(texts, row, number):
    if row >= len(texts):
        raise Unfit('name %d of %d' % (row, len(texts)))
    return texts[row] if number == 0 else '%s_%d' % (texts[row], number - 1)


class Zen:
    """A header. `bundled`: up to 5.2."""

    def __init__(self, data, ue5):
        self.data, self.ue5 = data, ue5
        self.ue4 = struct.unpack_from('<I', data, 24)[0] == 64
        if self.ue4:
            self.bundled = True
            self.read_ue4(Bytes(data))
        else:
            self.read_ue5(Bytes(data))
        self.faults = []
        self.check()

    def read_ue4(self, r):
        own, own_number, source, source_number, self.flags, self.cooked = r.read('6I')
        names, names_size, hashes, hashes_size = r.read('4i')
        imports, exports, bundles, graph, graph_size, pad = r.read('6i')
        r.here(names, 'names')
        self.names = []
        while r.at < names + names_size:
            header = struct.unpack('>H', r.take(2))[0]
            if header & 0x8000 and r.at & 1:
                r.take(1)
            self.names.append(text_of(r.take(length_of(header)), bool(header & 0x8000)))
        r.here(names + names_size, 'end of names')
        if any(r.take(-r.at % 8)) or pad:
            raise Unfit('a pad is not zero')
        r.here(hashes, 'hashes')
        stored = [row[0] for row in r.rows('Q', hashes + hashes_size, 'hashes')]
        if stored != [ALGORITHM] + [name_hash(text) for text in self.names]:
            raise Unfit('other hashes of names')
        self.package = name(self.names, own, own_number)
        self.source = name(self.names, source, source_number)
        r.here(imports, 'imports')
        self.imports = [row[0] for row in r.rows('Q', exports, 'imports')]
        self.read_exports(r, bundles)
        self.bundles, steps = [], 0
        while r.at + steps * 8 < graph:
            first, count = r.read('2I')
            self.bundles.append((0, first, count))
            steps += count
        self.commands = r.rows('2I', graph, 'steps')
        if len(self.commands) != steps:
            raise Unfit('%d steps, bundles have %d' % (len(self.commands), steps))
        for _ in range(r.one('i')):
            r.one('Q')
            [r.read('2i') for _ in range(r.one('i'))]
        r.here(graph + graph_size, 'end of the header')
        self.size, self.hashes, self.packages, self.custom = r.at, [], [], []

    def read_ue5(self, r):
        says, self.size, own, own_number, self.flags, self.cooked = r.read('6I')
        # Six numbers up to 5.2, eight later; after that versions may stand.
        for places in (4 + 3, 4 + 1):
            try:
                self.read_ue5_as(Bytes(self.data), says, places == 5)
                break
            except (Unfit, struct.error, UnicodeDecodeError):
                if places == 5:
                    raise
        self.package = self.source = name(self.names, own, own_number)

    def read_ue5_as(self, r, says, bundled):
        r.take(24)
        places = r.read('%di' % (5 if bundled else 7))
        self.bundled, ue5 = bundled, self.ue5
        zen, self.custom = 1 if bundled and ue5 >= 1009 else 0, []
        if says == 1:
            zen, _, ue5, _ = r.read('I3i')
            self.custom = [r.read('4Ii') for _ in range(r.one('I'))]
        elif says:
            raise Unfit('says versions: %d' % says)
        cells = r.read('2i') if ue5 >= 1015 else None
        self.names = batch(r)
        if ue5 >= 1010:
            pad = r.one('Q')
            if pad != -r.at % 8 or any(r.take(pad)):
                raise Unfit('a pad of %d bytes at %#x' % (pad, r.at))
        self.bulk = []
        if not bundled or zen >= 1:
            self.bulk = r.rows('3qI4B', r.one('q') + r.at, 'bulk data')
        r.here(places[0], 'hashes')
        self.hashes = [row[0] for row in r.rows('Q', places[1], 'hashes')]
        self.imports = [row[0] for row in r.rows('Q', places[2], 'imports')]
        self.read_exports(r, cells[0] if cells else places[3])
        if cells:
            r.rows('Q', cells[1], 'cells')
            r.rows('3Q2IQ', places[3], 'cells')
        self.commands = r.rows('2I', places[4], 'steps')
        self.bundles, self.packages, steps = [], [], 0
        if bundled:
            while steps < len(self.commands):
                self.bundles.append(r.read('Q2I'))
                steps += self.bundles[-1][2]
            [r.read('2i') for _ in range(r.one('i'))]
            while r.at < self.size:
                [r.read('iBi') for _ in range(r.one('i'))]
        else:
            self.dependencies = r.rows('i4I', places[5], 'dependencies')
            self.entries = [row[0] for row in r.rows('i', places[6], 'entries')]
            texts = batch(r)
            numbers = [r.one('i') for _ in texts]
            self.packages = [text if n == 0 else '%s_%d' % (text, n - 1)
                             for text, n in zip(texts, numbers)]
        r.here(self.size, 'end of the header')

    def read_exports(self, r, until):
        self.exports = [dict(zip(('offset', 'size', 'row', 'number', 'outer', 'class', 'super',
                                  'template', 'public', 'flags', 'filter'), row))
                        for row in r.rows('2Q2I5QIB3x', until, 'exports')]
        for export in self.exports:
            export['name'] = name(self.names, export['row'], export['number'])

    def path(self, row):
        parts = []
        while len(parts) <= len(self.exports):
            parts.append(self.exports[row]['name'])
            outer = self.exports[row]['outer']
            if outer == NULL:
                return '.'.join(reversed(parts))
            row = outer
            if row >= len(self.exports):
                raise Unfit('an object lies in %#x' % outer)
        raise Unfit('objects lie in a circle')

    def check(self):
        known = set(self.imports) | {NULL}
        for row, export in enumerate(self.exports):
            path = self.path(row)
            for what in ('class', 'super', 'template'):
                target = export[what]
                if target >> 62 and target not in known or not target >> 62 and target >= len(self.exports):
                    self.faults.append('%s: %s is %#x' % (path, what, target))
            if self.ue4:
                want = path_hash('%s.%s' % (self.source, path)) & ~(3 << 62) | 2 << 62
                none = NULL
            else:
                want, none = path_hash(path), 0
            if export['public'] != (want if export['flags'] & 1 else none) and export['public'] != want:
                self.faults.append('%s: public hash %#x' % (path, export['public']))
        real = [it for it in self.imports if it != NULL]
        if len(set(real)) != len(real):
            self.faults.append('an object is imported twice')
        if not self.bundled:
            self.check_imports()
            self.check_order()
        self.check_bodies()

    def check_imports(self):
        ids = [package_hash(it) for it in self.packages]
        if ids != sorted(set(ids)):
            self.faults.append('imported packages are not ascending')
        if len(ids) != self.imports.count(NULL):
            self.faults.append('%d packages, %d imports of them' % (len(ids), self.imports.count(NULL)))
        first = []
        for it in self.imports:
            if it >> 62 == 2:
                package, row = it >> 32 & 0x3FFFFFFF, it & 0xFFFFFFFF
                if package >= len(ids) or row >= len(self.hashes):
                    self.faults.append('import %#x' % it)
                elif row not in first:
                    first.append(row)
        if first != list(range(len(self.hashes))):
            self.faults.append('hashes of imports are not in order of use')

    def check_order(self):
        count, at = len(self.exports), 0
        after, waits = [[] for _ in range(2 * count)], [0] * (2 * count)
        if len(self.dependencies) != count:
            raise Unfit('%d dependencies for %d objects' % (len(self.dependencies), count))
        for row, (first, *lengths) in enumerate(self.dependencies):
            if first >= 0 and first != at or first < 0 and any(lengths):
                self.faults.append('dependencies of %d start at %d, expected %d' % (row, first, at))
            edges = [(2 * row, 2 * row + 1)]
            for length, (before, then) in zip(lengths, ((0, 0), (1, 0), (0, 1), (1, 1))):
                for entry in self.entries[at:at + length]:
                    if entry > 0:
                        edges.append((2 * (entry - 1) + before, 2 * row + then))
                    elif self.imports[-1 - entry] >> 62 != 2:
                        self.faults.append('%d waits for import %d' % (row, -1 - entry))
                at += length
            for before, then in edges:
                after[before].append(then)
                waits[then] += 1
        if at != len(self.entries):
            self.faults.append('%d of %d dependencies are used' % (at, len(self.entries)))

        def key(node):
            return self.exports[node // 2]['public'] == 0, node % 2, node // 2

        ready = [key(node) for node in range(2 * count) if not waits[node]]
        heapq.heapify(ready)
        order = []
        while ready:
            _, command, row = heapq.heappop(ready)
            order.append((row, command))
            for then in after[2 * row + command]:
                waits[then] -= 1
                if not waits[then]:
                    heapq.heappush(ready, key(then))
        if order != self.commands:
            self.faults.append('another order of loading')

    def check_bodies(self):
        at = self.size
        self.bodies = {}
        if self.bundled:
            for place, first, count in self.bundles:
                if not self.ue4 and self.size + place != at:
                    self.faults.append('a bundle at %#x, expected %#x' % (place, at - self.size))
                for row, command in self.commands[first:first + count]:
                    if command == 1:
                        self.bodies[row] = at
                        at += self.exports[row]['size']
            base = self.exports[0]['offset'] if self.exports else 0
            for export in self.exports:
                if export['offset'] != base:
                    self.faults.append('%s was cooked at %#x, expected %#x'
                                       % (export['name'], export['offset'], base))
                base += export['size']
            if at != len(self.data):
                self.faults.append('bodies end at %#x of %#x' % (at, len(self.data)))
            return
        for row, export in enumerate(self.exports):
            if self.size + export['offset'] != at:
                self.faults.append('%s at %#x, expected %#x' % (export['name'], export['offset'], at))
            self.bodies[row] = at
            at += export['size']
        if self.data[at:] != TAG:
            self.faults.append('no tag behind the bodies')


def read_zen(data, ue5):
    """What the comparison looks at."""
    zen = Zen(data, ue5)
    exports = [{'path': zen.path(row), 'size': it['size'], 'flags': it['flags'],
                'body': data[zen.bodies.get(row, 0):][:it['size']].hex()}
               for row, it in enumerate(zen.exports)]
    return {'error': None, 'package': zen.package, 'names': zen.names, 'exports': exports,
            'imports': ['%016x' % it for it in zen.imports], 'packages': zen.packages,
            'hashes': ['%016x' % it for it in zen.hashes], 'faults': zen.faults}
