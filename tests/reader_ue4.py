#!/usr/bin/env python3
"""An independent reader of the headers of UE4 and UE5 packages, for comparison with the library.

Reads summary, names, soft paths, imports, exports, thumbnails and the asset registry's data, checks the
hashes of names and how header and bodies lie one behind the other; zen packages by `reader_zen.py`. Standard
library only. Written from the description of the format; it shares nothing with the library.

usage: reader_ue4.py < LINES    each line a JSON object: file, and for packages that do not say their
versions ue4, ue5, cooked_names (whether cooked imports name their packages); zen for a package of a container;
prints one JSON object a line
"""

import json
import struct
import sys

from reader_zen import Unfit, read_zen

TAG = 0x9E2A83C1
FILTER_EDITOR_ONLY = 0x80000000
UNVERSIONED_PROPERTIES = 0x2000
FORTNITE_MAIN = '601D1886AC644F84AA16D3DE0DEAC7D6'


class Damaged(Exception):
    """The bytes are not what the format says."""


def ansi(raw):
    """Windows-1252; its five holes are control characters."""
    return ''.join(bytes([b]).decode('cp1252') if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
                   else chr(b) for b in raw)


def table(polynomial, msb):
    rows = []
    for i in range(256):
        c = i << 24 if msb else i
        for _ in range(8):
            if msb:
                c = (c << 1 & 0xFFFFFFFF) ^ (polynomial if c & 0x80000000 else 0)
            else:
                c = c >> 1 ^ (polynomial if c & 1 else 0)
        rows.append(c)
    return rows


MSB, LSB = table(0x04C11DB7, True), table(0xEDB88320, False)
KNOWN = {}


def hashes(text, wide):
    """The two hashes that stand behind a name."""
    if (text, wide) in KNOWN:
        return KNOWN[text, wide]
    units = struct.unpack('<%dH' % (len(text.encode('utf-16-le')) // 2), text.encode('utf-16-le'))
    h, k = 0, 0xFFFFFFFF
    for unit in units:
        up = unit - 32 if 0x61 <= unit <= 0x7A else unit
        h = h >> 8 ^ MSB[(h ^ up) & 0xFF]
        if wide:
            h = h >> 8 ^ MSB[(h ^ up >> 8) & 0xFF]
        for byte in (unit & 0xFF, unit >> 8, 0, 0):
            k = k >> 8 ^ LSB[(k ^ byte) & 0xFF]
    KNOWN[text, wide] = h & 0xFFFF, (k ^ 0xFFFFFFFF) & 0xFFFF
    return KNOWN[text, wide]


class Reader:
    def __init__(self, data):
        self.data, self.at, self.names = data, 0, []
        self.v4 = self.v5 = self.flags = 0
        self.cooked_names = False
        self.custom = {}

    def take(self, count):
        if count < 0 or self.at + count > len(self.data):
            raise Damaged('%d bytes at %#x of %#x' % (count, self.at, len(self.data)))
        self.at += count
        return self.data[self.at - count:self.at]

    def i32(self):
        return struct.unpack('<i', self.take(4))[0]

    def u32(self):
        return struct.unpack('<I', self.take(4))[0]

    def i64(self):
        return struct.unpack('<q', self.take(8))[0]

    def u16(self):
        return struct.unpack('<H', self.take(2))[0]

    def raw_string(self):
        length = self.i32()
        if length >= 0:
            return ansi(self.take(length).removesuffix(b'\0')), False
        raw = self.take(-2 * length)
        raw = raw[:-2] if raw[-2:] == b'\0\0' else raw
        return raw.decode('utf-16-le', 'replace'), True

    def string(self):
        return self.raw_string()[0]

    def guid(self):
        return '%08X%08X%08X%08X' % struct.unpack('<4I', self.take(16))

    def name(self):
        row, number = self.i32(), self.i32()
        if not 0 <= row < len(self.names):
            raise Damaged('name %d of %d' % (row, len(self.names)))
        return self.names[row] if number == 0 else '%s_%d' % (self.names[row], number - 1)

    def engine(self):
        self.take(10)
        self.string()


def read_summary(r, told):
    s = {}
    if r.u32() != TAG:
        raise Damaged('no package')
    legacy = r.i32()
    if legacy != -4:
        r.i32()
    r.v4 = r.i32()
    r.v5 = r.i32() if legacy <= -8 else 0
    licensee = r.i32()
    if (r.v4, r.v5, licensee) == (0, 0, 0):
        r.v4, r.v5 = told['ue4'], told['ue5']
    r.cooked_names = told.get('cooked_names', False)
    v4, v5 = r.v4, r.v5
    if 138 <= v4 <= 142:
        r.take(8)
    if v5 >= 1016:
        r.take(20)
        s['header'] = r.i32()
    if legacy <= -2:
        for _ in range(r.i32()):
            if legacy == -2:
                r.take(8)
            else:
                key, version = r.guid(), r.i32()
                r.custom[key] = version
                if legacy > -6:
                    r.string()
    if v5 < 1016:
        s['header'] = r.i32()
    s['package_name'] = r.string()
    r.flags = r.u32()
    editor = not r.flags & FILTER_EDITOR_ONLY
    s['names'] = r.i32(), r.i32()
    if v5 >= 1008:
        s['soft_paths'] = r.i32(), r.i32()
    if v4 >= 516 and editor:
        r.string()
    if v4 >= 459:
        r.take(8)
    s['exports'] = r.i32(), r.i32()
    s['imports'] = r.i32(), r.i32()
    if v5 >= 1015:
        r.take(16)
    if v5 >= 1014:
        r.take(4)
    s['depends'] = r.i32()
    if v4 >= 384:
        s['soft_packages'] = r.i32(), r.i32()
    if v4 >= 510:
        r.take(4)
    s['thumbnails'] = r.i32()
    if v5 >= 1018:
        r.take(8)
    if v5 < 1016:
        r.take(16)
    if v4 >= 518 and editor:
        r.take(16)
        if v4 < 520:
            r.take(16)
    s['generations'] = [[r.i32(), r.i32()] for _ in range(r.i32())]
    if v4 >= 336:
        r.engine()
        if v4 >= 444:
            r.engine()
    else:
        r.take(4)
    r.take(4)
    r.take(16 * r.i32())
    s['source'] = r.u32()
    for _ in range(r.i32()):
        r.string()
    if legacy > -7:
        r.take(4)
    s['registry'] = r.i32()
    s['bulk'] = r.i64()
    if v4 >= 224:
        r.take(4)
    if v4 >= 326:
        r.take(4 * r.i32())
    elif v4 >= 278:
        r.take(4)
    if v4 >= 507:
        r.take(8)
    if v5 >= 1001:
        s['names_of_exports'] = r.i32()
    s['trailer'] = r.i64() if v5 >= 1002 else -1
    if v5 >= 1009:
        r.take(4)
    s['end'] = r.at
    return s


def soft_path(r):
    if r.v4 < 514:
        return r.string()
    text = r.name()
    if r.v5 >= 1007:
        asset = r.name()
        text = '' if text.lower() == 'none' else text
        if asset.lower() != 'none':
            text = '%s.%s' % (text, asset)
    if r.custom.get(FORTNITE_MAIN, -1) >= 192:
        sub = r.take(r.i32()).decode('utf-8', 'replace')
    else:
        sub = r.string()
    return text + (':' + sub if sub else '')


def path_of(index, imports, exports):
    parts = []
    while index and len(parts) < 64:
        row = exports[index - 1] if index > 0 else imports[-1 - index]
        parts.append(row['name'])
        index = row['outer']
    return '.'.join(reversed(parts))


def read_tables(r, s):
    editor = not r.flags & FILTER_EDITOR_ONLY
    out = {'wrong_hashes': 0, 'without_hashes': 0}
    r.at = s['names'][1]
    for _ in range(s['names'][0]):
        text, wide = r.raw_string()
        if r.v4 >= 504:
            stored = r.u16(), r.u16()
            if stored == (0, 0):
                out['without_hashes'] += 1
            elif stored != hashes(text, wide):
                out['wrong_hashes'] += 1
        r.names.append(text)
    soft = s.get('soft_paths', (0, 0))
    r.at = soft[1]
    out['soft_paths'] = [soft_path(r) for _ in range(soft[0])]
    imports, exports = [], []
    r.at = s['imports'][1]
    for _ in range(s['imports'][0]):
        row = {'class': '%s.%s' % (r.name(), r.name()), 'outer': r.i32(), 'name': r.name()}
        if r.v4 >= 520 and (editor or r.cooked_names):
            r.name()
        if r.v5 >= 1003:
            r.take(4)
        imports.append(row)
    if s['imports'][0] and s['exports'][0] and r.at > s['exports'][1]:
        raise Damaged('imports reach into exports')
    r.at = s['exports'][1]
    long = r.i64 if r.v4 >= 511 else r.i32
    for _ in range(s['exports'][0]):
        row = {'class': r.i32()}
        r.take(4)
        if r.v4 >= 508:
            r.take(4)
        row['outer'], row['name'], row['flags'] = r.i32(), r.name(), r.u32()
        row['size'], row['offset'] = long(), long()
        r.take(12)
        if r.v5 < 1005:
            r.take(16)
        if r.v5 >= 1006:
            r.take(4)
        r.take(4)
        r.take(4 * ((r.v4 >= 365) + (r.v4 >= 485) + (r.v5 >= 1003)))
        if r.v4 >= 507:
            r.take(20)
        if r.v5 >= 1010 and not r.flags & UNVERSIONED_PROPERTIES:
            r.take(16)
        exports.append(row)
    out['imports'] = [{'path': path_of(-1 - at, imports, exports), 'class': row['class']}
                      for at, row in enumerate(imports)]
    out['exports'] = [{'path': path_of(at + 1, imports, exports), 'size': row['size'],
                       'offset': row['offset'], 'class': path_of(row['class'], imports, exports)}
                      for at, row in enumerate(exports)]
    if r.v4 >= 384 and editor:
        count, r.at = s['soft_packages']
        out['soft_packages'] = [r.name() if r.v4 >= 514 else r.string() for _ in range(count)]
    out['thumbnails'] = read_thumbnails(r, s)
    out['assets'] = read_registry(r, s, editor)
    return out


def read_thumbnails(r, s):
    found = []
    if s['thumbnails'] <= 0:
        return found
    r.at = s['thumbnails']
    rows = [(r.string(), r.string(), r.i32()) for _ in range(r.i32())]
    for _, path, at in rows:
        r.at = at
        width, height, size = r.i32(), r.i32(), r.i32()
        head = r.take(size)[:4]
        want = b'' if size == 0 else b'\xff\xd8\xff' if height < 0 else b'\x89PNG'
        if size and not head.startswith(want):
            raise Damaged('thumbnail of %s: %r at %#x' % (path, head, at))
        found.append([path, width, abs(height), size])
    return found


def read_registry(r, s, editor):
    if s['registry'] <= 0:
        return []
    r.at = s['registry']
    dependencies = r.i64() if r.v4 >= 521 and editor else 0
    assets = []
    for _ in range(r.i32()):
        path, kind = r.string(), r.string()
        assets.append([path, kind, [[r.string(), r.string()] for _ in range(r.i32())]])
    if dependencies:
        if dependencies != r.at:
            raise Damaged('dependencies at %#x, expected %#x' % (dependencies, r.at))
        bits = r.i32()
        if bits != s['imports'][0]:
            raise Damaged('%d bits for %d imports' % (bits, s['imports'][0]))
        r.take((bits + 31) // 32 * 4)
        bits = r.i32()
        if bits != s['soft_packages'][0]:
            raise Damaged('%d bits for %d soft packages' % (bits, s['soft_packages'][0]))
        r.take((bits + 31) // 32 * 4)
    return assets


def check_places(r, s, out):
    """Names stand behind the summary, bodies behind the header and before bulk data, then the tag."""
    faults = []
    if s['names'][0] and s['names'][1] != s['end']:
        faults.append('names at %#x, summary ends at %#x' % (s['names'][1], s['end']))
    at = s['header']
    for row in out['exports']:
        if row['size'] and row['offset'] != at:
            faults.append('%s at %#x, expected %#x' % (row['path'], row['offset'], at))
        at = row['offset'] + row['size'] if row['size'] else at
    if at != s['bulk']:
        faults.append('bodies end at %#x, bulk data starts at %#x' % (at, s['bulk']))
    newest = s['generations'][-1:] or [None]
    if newest[0] != [s['exports'][0], s['names'][0]]:
        faults.append('generation %r' % newest)
    end = s['trailer'] if s['trailer'] > 0 else len(r.data)
    if r.data[end - 4:end] != struct.pack('<I', TAG):
        faults.append('no tag at the end')
    if s.get('names_of_exports', 0) > s['names'][0]:
        faults.append('more names of exports than names')
    return faults


def payloads(r, s, out):
    """Flags, place and size of payloads in another file whose stored offsets count from where bulk data starts."""
    found = []
    if r.v5 >= 1009:
        return found
    for row in out['exports']:
        body = r.data[row['offset']:row['offset'] + row['size']]
        for at in range(len(body) - 19):
            if body[at + 1] not in (1, 5):
                continue
            flags, count, size, offset = struct.unpack_from('<IIIq', body, at)
            place = offset + s['bulk']
            if flags in (0x101, 0x501) and count == size > 0 and 0 <= place < 1 << 31:
                found.append([flags, place, size])
    return found


def read(told):
    with open(told['file'], 'rb') as file:
        data = file.read()
    r = Reader(data)
    try:
        if told.get('zen'):
            return read_zen(data, told['ue5'])
        s = read_summary(r, told)
        out = read_tables(r, s)
        out['names'] = r.names
        out['package_name'], out['source'] = s['package_name'], s['source']
        out['faults'] = check_places(r, s, out)
        out['payloads'] = payloads(r, s, out)
        out['error'] = None
        return out
    except (Damaged, Unfit, struct.error, IndexError, KeyError, ValueError, RecursionError) as error:
        return {'error': '%s: %s' % (type(error).__name__, error)}


for line in sys.stdin:
    print(json.dumps(read(json.loads(line))))
    sys.stdout.flush()
