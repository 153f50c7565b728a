#!/usr/bin/env python3
"""An independent reader of classic packages (UE1 to UE3), for comparison with the library.

Reads the tables, object paths, tagged properties and the native fields of the classes that the library
can make, and prints them as JSON. Standard library only. Written from the description of the format;
it shares nothing with the library.

usage: reader.py PACKAGE...        one JSON object a line
       reader.py - < LINES         the same; each line a JSON object: file
"""

import json
import struct
import sys
import zlib

TAG = 0x9E2A83C1
UT2004 = lambda ver, lic: 118 <= ver <= 128 and 25 <= lic <= 29


class Damaged(Exception):
    """The bytes are not what the format says."""


class Reader:
    """Bytes with a place; all numbers of one package."""

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.end = len(data)
        self.order = '<'
        self.ver = 0
        self.lic = 0
        self.names = []

    def take(self, count):
        if count < 0 or self.at + count > self.end:
            raise Damaged('%d bytes at %#x, %d remain' % (count, self.at, self.end - self.at))
        piece = self.data[self.at:self.at + count]
        self.at += count
        return piece

    def number(self, code):
        return struct.unpack(self.order + code, self.take(struct.calcsize(code)))[0]

    def u8(self):
        return self.take(1)[0]

    def u16(self):
        return self.number('H')

    def i32(self):
        return self.number('i')

    def u32(self):
        return self.number('I')

    def u64(self):
        return self.number('Q')

    def f32(self):
        # Text, so that both sides compare the same digits.
        return struct.unpack('<I', struct.pack('<f', self.number('f')))[0]

    def compact(self):
        """Sign and magnitude, 6 bits, then 7 a byte."""
        first = self.u8()
        value, shift, more = first & 0x3F, 6, first & 0x40
        while more and shift < 34:
            byte = self.u8()
            if shift == 27:
                value |= (byte & 0x1F) << shift
                more = 0
            else:
                value |= (byte & 0x7F) << shift
                more = byte & 0x80
            shift += 7
        value = -value if first & 0x80 else value
        # Engines keep it in 32 bits.
        return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000

    def index(self):
        return self.compact() if self.ver < 178 else self.i32()

    def count(self):
        number = self.index()
        if number < 0 or number > self.end - self.at:
            raise Damaged('a count of %d at %#x' % (number, self.at))
        return number

    def count32(self):
        number = self.i32()
        if number < 0 or number > self.end - self.at:
            raise Damaged('a count of %d at %#x' % (number, self.at))
        return number

    def string(self):
        length = self.index()
        if length == 0:
            return ''
        if length > 0:
            raw = self.take(length)
            if raw[-1:] == b'\0':
                raw = raw[:-1]
            return ansi(raw)
        raw = self.take(-2 * length)
        if raw[-2:] == b'\0\0':
            raw = raw[:-2]
        return raw.decode('utf-16-be' if self.order == '>' else 'utf-16-le', 'replace')

    def guid(self):
        return '%08X%08X%08X%08X' % tuple(self.u32() for _ in range(4))

    def name(self):
        row = self.index()
        number = self.i32() if self.ver >= 343 else 0
        if not 0 <= row < len(self.names):
            raise Damaged('name %d of %d' % (row, len(self.names)))
        text = self.names[row]
        return text if number == 0 else '%s_%d' % (text, number - 1)


def ansi(raw):
    """Windows-1252; its five holes are control characters."""
    return ''.join(bytes([b]).decode('cp1252') if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
                   else chr(b) for b in raw)


def digest(raw):
    return {'bytes': len(raw), 'adler32': zlib.adler32(raw)}


def is_none(text):
    return text.lower() == 'none'


def read_summary(r):
    tag = r.u32()
    if tag != TAG:
        r.order = '>'
        r.at = 0
        if r.u32() != TAG:
            raise Damaged('no package')
    both = r.u32()
    r.ver, r.lic = both & 0xFFFF, both >> 16
    s = {}
    if r.ver >= 249:
        s['total_header_size'] = r.i32()
    if r.ver >= 269:
        s['folder'] = r.string()
    s['flags'] = r.u32()
    for table in ('name', 'export', 'import'):
        s[table + '_count'], s[table + '_offset'] = r.i32(), r.i32()
    s['guid'] = '0' * 32
    s['generations'] = []
    if r.ver < 68:
        heritage, offset = r.i32(), r.i32()
        if heritage > 0 and r.ver >= 42:
            back = r.at
            r.at = offset + 16 * (heritage - 1)
            s['guid'] = r.guid()
            r.at = back
        return s
    if r.ver >= 415:
        s['depends_offset'] = r.i32()
    if r.ver >= 623:
        s['guids'] = [r.i32(), r.i32(), r.i32()]
    if r.ver >= 584:
        s['thumbnails_offset'] = r.i32()
    s['guid'] = r.guid()
    for _ in range(r.count32()):
        generation = [r.i32(), r.i32()]
        if r.ver >= 322:
            generation.append(r.i32())
        s['generations'].append(generation)
    if r.ver >= 245:
        s['engine_version'] = r.i32()
    if r.ver >= 277:
        r.i32()
    if r.ver >= 334:
        compressed, chunks = r.u32(), r.count32()
        if compressed or chunks:
            raise Damaged('compressed')
    return s


def read_tables(r, s):
    r.at = s['name_offset']
    for _ in range(s['name_count']):
        if r.ver < 64:
            end = r.data.index(b'\0', r.at)
            text = ansi(r.take(end - r.at))
            r.u8()
        else:
            text = r.string()
        r.u32() if r.ver < 195 else r.u64()
        r.names.append(text)
    imports, exports = [], []
    r.at = s['import_offset']
    for _ in range(s['import_count']):
        row = {'class_package': r.name(), 'class_name': r.name()}
        if r.ver < 50:
            row['package'] = r.name()
            row['outer'] = 0
        else:
            row['outer'] = r.i32()
        row['name'] = r.name()
        imports.append(row)
    r.at = s['export_offset']
    for _ in range(s['export_count']):
        row = {'class': r.index(), 'super': r.index()}
        row['outer'] = r.i32() if r.ver >= 50 else 0
        row['name'] = r.name()
        if r.ver >= 220:
            r.i32()
        row['flags'] = r.u32() if r.ver < 195 else r.u64()
        row['size'] = r.index()
        row['offset'] = r.index() if r.ver >= 249 or row['size'] else 0
        if 178 <= r.ver < 543:
            for _ in range(r.count32()):
                r.name()
                r.i32()
        if r.ver >= 247:
            r.u32()
        if r.ver >= 322:
            for _ in range(r.count32()):
                r.i32()
            r.guid()
        if r.ver >= 475:
            r.u32()
        exports.append(row)
    return imports, exports


class Package:
    def __init__(self, data):
        self.r = Reader(data)
        self.summary = read_summary(self.r)
        self.imports, self.exports = read_tables(self.r, self.summary)

    def row(self, reference):
        table, at = (self.exports, reference - 1) if reference > 0 else (self.imports, -reference - 1)
        if reference == 0 or at >= len(table):
            return None
        return table[at]

    def path(self, reference):
        parts = []
        row = self.row(reference)
        if reference and row is None:
            raise Damaged('reference %d' % reference)
        while row is not None and len(parts) < 64:
            parts.append(row['name'])
            if not is_none(row.get('package', 'None')):
                parts.append(row['package'])
            row = self.row(row['outer'])
        return '.'.join(reversed(parts))

    def class_name(self, export):
        row = self.row(export['class'])
        return 'Class' if row is None else row['name']

    # Properties.

    def properties(self):
        found = []
        while True:
            name = self.r.name()
            if is_none(name):
                return found
            found.append(self.named(name) if self.r.ver >= 223 else self.classic(name))

    def classic(self, name):
        r = self.r
        info = r.u8()
        kind, code = info & 15, info >> 4 & 7
        structure = r.name() if kind == 10 else None
        size = {5: r.u8, 6: r.u16, 7: r.i32}[code]() if code > 4 else (1, 2, 4, 12, 16)[code]
        element = 0
        if info & 0x80 and kind != 3:
            element = r.u8()
            if element & 0xC0 == 0x80:
                element = (element & 0x3F) << 8 | r.u8()
            elif element & 0xC0 == 0xC0:
                rest = r.take(3)
                element = (element & 0x3F) << 24 | int.from_bytes(rest, 'big')
        end = r.at + size
        value = None
        if kind == 3:
            value = bool(info & 0x80)
        elif kind == 1:
            value = r.u8()
        elif kind == 2:
            value = r.i32()
        elif kind == 4:
            value = r.f32()
        elif kind in (5, 8):
            value = self.path(r.index())
        elif kind == 6:
            value = r.name()
        elif kind == 13:
            value = r.string()
        elif structure is not None:
            value = self.structure(structure, size)
        if value is None:
            value = digest(r.take(size))
        elif r.at != end:
            raise Damaged('property %s ends at %#x, its tag says %#x' % (name, r.at, end))
        return {'name': name, 'index': element, 'value': value}

    def named(self, name):
        r = self.r
        kind, size, element = r.name(), r.i32(), r.i32()
        structure = r.name() if kind == 'StructProperty' else None
        if kind == 'BoolProperty':
            flag = r.i32() if r.ver < 673 else r.u8()
            return {'name': name, 'index': element, 'value': bool(flag)}
        if kind == 'ByteProperty' and r.ver >= 633:
            r.name()
        end = r.at + size
        value = None
        if kind == 'IntProperty':
            value = r.i32()
        elif kind == 'FloatProperty':
            value = r.f32()
        elif kind in ('ObjectProperty', 'ClassProperty', 'ComponentProperty', 'InterfaceProperty'):
            value = self.path(r.i32())
        elif kind == 'NameProperty':
            value = r.name()
        elif kind == 'StrProperty':
            value = r.string()
        elif kind == 'ByteProperty':
            value = r.name() if size == 8 else r.u8()
        elif structure is not None:
            value = self.structure(structure, size)
        if value is None:
            value = digest(r.take(size))
        elif r.at != end:
            raise Damaged('property %s ends at %#x, its tag says %#x' % (name, r.at, end))
        return {'name': name, 'index': element, 'value': value}

    def structure(self, name, size):
        r = self.r
        if name == 'Color' and size == 4:
            return [r.u8() for _ in range(4)]
        if name == 'Guid' and size == 16:
            return [r.i32() for _ in range(4)]
        return None

    # Native parts.

    def lazy(self):
        r = self.r
        end = r.u32() if r.ver > 61 else None
        raw = r.take(r.count())
        if end is not None and end != r.at:
            raise Damaged('lazy array ends at %#x, says %#x' % (r.at, end))
        return digest(raw)

    def bulk(self):
        r = self.r
        flags, elements, size, offset = r.u32(), r.i32(), r.i32(), r.i32()
        if flags & 0x61:
            return {'flags': flags, 'elements': elements}
        if offset != r.at:
            raise Damaged('bulk data at %#x, says %#x' % (r.at, offset))
        return dict(digest(r.take(max(size, 0))), flags=flags, elements=elements)

    def texture(self, compressed):
        r = self.r

        def mips():
            found = []
            for _ in range(r.count()):
                data = self.lazy()
                found.append({'data': data, 'width': r.u32(), 'height': r.u32(),
                              'width_bits': r.u8(), 'height_bits': r.u8()})
            return found
        body = {'mips': mips()}
        if compressed:
            body['compressed'] = mips()
        return body

    def texture2d(self):
        r = self.r

        def mips():
            found = []
            for _ in range(r.count32()):
                data = self.bulk()
                found.append({'data': data, 'width': r.i32(), 'height': r.i32()})
            return found
        body = {'source_art': self.bulk(), 'mips': mips()}
        if r.ver >= 567:
            body['cache'] = r.guid()
        if r.ver >= 674:
            body['pvrtc'] = mips()
        if r.ver >= 857:
            body['flash'] = [r.i32(), mips(), self.bulk()]
        if r.ver >= 864:
            body['etc'] = mips()
        return body

    def native(self, kind, properties):
        """The fields of a class that is known here, or None."""
        r = self.r
        ue3 = r.ver >= 178
        kind = kind.lower()
        flag = lambda name: any(p['name'].lower() == name and p['value'] is True for p in properties)
        if kind == 'package':
            return {}
        if kind == 'textbuffer':
            return {'pos': r.u32(), 'top': r.u32(), 'text': r.string()}
        if kind == 'palette' and not ue3:
            return {'colors': [r.take(4).hex() for _ in range(r.count())]}
        if kind == 'texture' and not ue3:
            return self.texture(r.ver < 99 and flag('bhascomp'))
        if kind == 'sound' and not ue3:
            body = {'format': r.name()}
            if UT2004(r.ver, r.lic):
                body['likelihood'] = r.f32()
            return dict(body, data=self.lazy())
        if kind == 'music' and not ue3:
            return {'format': r.name(), 'data': self.lazy()}
        if kind == 'texture2d' and ue3:
            return self.texture2d()
        if kind == 'soundnodewave' and r.ver >= 420:
            count = 4 + (r.ver >= 845) + (r.ver >= 851) + (r.ver >= 854)
            return {'bulks': [self.bulk() for _ in range(count)]}
        return None

    def body(self, export):
        r = self.r
        if export['size'] <= 0 or export['class'] == 0:
            return None
        kind = self.class_name(export)
        r.at, r.end = export['offset'], export['offset'] + export['size']
        stack = 0x0200000000000000 if r.ver >= 195 else 0x02000000
        body = {}
        if export['flags'] & stack or r.ver >= 178 and is_component(kind):
            return None
        if r.ver >= 322:
            body['net_index'] = r.i32()
        body['properties'] = self.properties()
        if r.ver <= 57:
            r.take(2 if r.ver <= 56 else 1)
        body['native'] = self.native(kind, body['properties'])
        if body['native'] is None:
            del body['native']
        elif r.at != r.end:
            raise Damaged('%s: %d bytes are left' % (kind, r.end - r.at))
        return body

    def describe(self):
        r = self.r
        exports = []
        for at, export in enumerate(self.exports):
            kind = self.path(export['class']) if export['class'] else 'Core.Class'
            row = {'path': self.path(at + 1), 'class': kind,
                   'flags': export['flags'], 'size': export['size'], 'offset': export['offset']}
            try:
                row['body'] = self.body(export)
            except (Damaged, ValueError) as why:
                row['error'] = str(why)
            finally:
                r.end = len(r.data)
            exports.append(row)
        imports = [{'path': self.path(-at - 1),
                    'class': row['class_package'] + '.' + row['class_name']}
                   for at, row in enumerate(self.imports)]
        return {'version': r.ver, 'licensee': r.lic, 'flags': self.summary['flags'],
                'guid': self.summary['guid'], 'generations': self.summary['generations'],
                'names': r.names, 'imports': imports, 'exports': exports}


def is_component(kind):
    return kind.lower().endswith('component') or kind.lower().startswith('distribution')


def main(files):
    for file in files:
        with open(file, 'rb') as source:
            data = source.read()
        try:
            print(json.dumps(Package(data).describe()))
        except (Damaged, ValueError, RecursionError) as why:
            print(json.dumps({'error': str(why)}))


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        if sys.argv[1:] == ['-']:
            for line in sys.stdin:
                main([json.loads(line)['file']])
                sys.stdout.flush()
        else:
            main(sys.argv[1:])
    except BrokenPipeError:
        pass
