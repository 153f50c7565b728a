#!/usr/bin/env python3
"""An independent reader of containers (.pak; .utoc with .ucas), for comparison with the library.

Reads the trailer and indexes of all versions but frozen ones, checks every hash that Python can check (SHA-1),
that each index names the same files, and takes the files out. What is encrypted is not read. Standard library
only. Written from the description of the format; it shares nothing with the library.

usage: reader_containers.py FILE...    one JSON object a line: files by path, contents in hexadecimal digits
"""

import gzip
import hashlib
import json
import struct
import sys
import zlib

MAGIC = 0x5A6F12E1
SIZES = {1: 44, 2: 44, 3: 44, 4: 45, 5: 45, 6: 45, 7: 61, 8: 221, 9: 222, 10: 221, 11: 221, 12: 221, 13: 221,
         14: 225, 15: 262}
SHORT_8 = 189


class Damaged(Exception):
    """The bytes are not what the format says."""


def check(fact, what):
    if not fact:
        raise Damaged(what)


class Reader:
    """Bytes with a place."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, count):
        check(0 <= count <= len(self.data) - self.at, '%d bytes at %#x' % (count, self.at))
        piece = self.data[self.at:self.at + count]
        self.at += count
        return piece

    def number(self, code):
        return struct.unpack('<' + code, self.take(struct.calcsize(code)))[0]

    def u8(self):
        return self.number('B')

    def u32(self):
        return self.number('I')

    def i32(self):
        return self.number('i')

    def i64(self):
        return self.number('q')

    def u64(self):
        return self.number('Q')

    def string(self):
        length = self.i32()
        if length < 0:
            return self.take(-2 * length).decode('utf-16-le').rstrip('\0')
        return self.take(length).decode('cp1252').rstrip('\0')

    def utf8(self):
        return self.take(self.i32()).decode('utf-8')


def fnv(path, seed):
    value = (0xCBF29CE484222325 + seed) & (2 ** 64 - 1)
    for byte in path.lower().encode('utf-16-le'):
        value = ((value ^ byte) * 0x100000001B3) & (2 ** 64 - 1)
    return value


class Pak:
    def __init__(self, data):
        self.data = data
        self.version, self.short = self.find()
        self.trailer()

    def find(self):
        forms = [(version, size, False) for version, size in SIZES.items()] + [(8, SHORT_8, True)]
        for version, size, short in sorted(forms, key=lambda form: -form[1]):
            if size > len(self.data):
                continue
            before = (16 if version >= 7 else 0) + (1 if version >= 4 else 0)
            reader = Reader(self.data, len(self.data) - size + before)
            if reader.u32() == MAGIC and reader.u32() == version:
                self.start = len(self.data) - size
                return version, short
        raise Damaged('no trailer')

    def trailer(self):
        reader = Reader(self.data, self.start)
        if self.version >= 7:
            reader.take(16)
        if self.version >= 4:
            check(reader.u8() == 0, 'the index is encrypted')
        reader.take(8)
        offset, size, digest = reader.i64(), reader.i64(), reader.take(20)
        self.index = self.data[offset:offset + size]
        check(hashlib.sha1(self.index).digest() == digest, 'SHA-1 of the index')
        if self.version == 9:
            check(reader.u8() == 0, 'the index is frozen')
        self.methods = ['', 'Zlib', 'Gzip', '', 'Custom']
        if self.version >= 8:
            names = [reader.take(32).rstrip(b'\0').decode() for _ in range(4 if self.short else 5)]
            self.methods = [''] + names
        if self.version >= 14:
            reader.i32()
        if self.version >= 15:
            reader.take(1 + 36)
        check(reader.at == len(self.data), 'bytes behind the trailer')

    def record(self, reader):
        entry = {'offset': reader.i64(), 'stored': reader.i64(), 'size': reader.i64()}
        entry['method'] = reader.u8() if self.short else reader.u32()
        if self.version <= 1:
            reader.i64()
        entry['hash'] = reader.take(20)
        entry['blocks'], entry['flags'], entry['block_size'] = [], 0, 0
        if self.version >= 3:
            if entry['method']:
                entry['blocks'] = [(reader.i64(), reader.i64()) for _ in range(reader.u32())]
            entry['flags'], entry['block_size'] = reader.u8(), reader.u32()
        return entry

    def content(self, entry):
        reader = Reader(self.data, entry['offset'])
        own = self.record(reader)
        check(own['offset'] == 0, 'the record before the data has an offset')
        for field in 'stored size method flags'.split():
            check(own[field] == entry[field], 'the two records differ in ' + field)
        check(own['flags'] & 1 == 0, 'a file is encrypted')
        stored = self.data[reader.at:reader.at + own['stored']]
        check(hashlib.sha1(stored).digest() == own['hash'], 'SHA-1 of a file')
        method = self.methods[own['method']]
        if not method:
            return stored
        start = entry['offset'] if self.version >= 5 else 0
        check(start + own['blocks'][0][0] == reader.at, 'the first block is elsewhere')
        whole = b''
        for first, end in own['blocks']:
            block = self.data[start + first:start + end]
            piece = {'Zlib': zlib.decompress, 'Gzip': gzip.decompress}[method](block)
            left = own['size'] - len(whole)
            wanted = left if len(own['blocks']) == 1 else min(left, own['block_size'])
            check(len(piece) == wanted, 'a block has another size')
            whole += piece
        check(len(whole) == own['size'], 'a file has another size')
        return whole

    def encoded(self, reader):
        bits = reader.u32()
        block_size = (bits & 0x3F) << 11
        if bits & 0x3F == 0x3F:
            block_size = reader.u32()
        count, encrypted, method = bits >> 6 & 0xFFFF, bits >> 22 & 1, bits >> 23 & 0x3F
        offset = reader.u32() if bits >> 31 & 1 else reader.u64()
        size = reader.u32() if bits >> 30 & 1 else reader.u64()
        stored = size
        if method:
            stored = reader.u32() if bits >> 29 & 1 else reader.u64()
        if count > 1 or (count == 1 and encrypted):
            sizes = [reader.u32() for _ in range(count)]
            check(encrypted or sum(sizes) == stored, 'sizes of blocks')
            check(block_size * (count - 1) < size <= block_size * count, 'number of blocks')
        return {'offset': offset, 'stored': stored, 'size': size, 'method': method, 'flags': encrypted}

    def entries(self):
        """Records by path from the mount point."""
        reader = Reader(self.index)
        self.mount, count = reader.string(), reader.u32()
        if self.version < 10:
            found = {reader.string(): self.record(reader) for _ in range(count)}
            check(reader.at == len(self.index), 'bytes behind the index')
            return found
        seed, places = reader.u64(), []
        for _ in range(2):
            check(reader.u32() == 1, 'an index is missing')
            offset, size, digest = reader.i64(), reader.i64(), reader.take(20)
            part = self.data[offset:offset + size]
            check(hashlib.sha1(part).digest() == digest, 'SHA-1 of a further index')
            places.append(part)
        encoded = reader.take(reader.u32())
        plain = [self.record(reader) for _ in range(reader.u32())]
        check(reader.at == len(self.index), 'bytes behind the index')
        by_hash = Reader(places[0])
        hashes = dict((by_hash.u64(), by_hash.i32()) for _ in range(by_hash.u32()))
        pruned = self.folders(by_hash)
        check(by_hash.at == len(places[0]), 'bytes behind the index by hash')
        paths = self.flat(places[1]) if places[1][:4] == b'QDFP' else None
        if paths is None:
            by_path = Reader(places[1])
            paths = self.folders(by_path)
            check(by_path.at == len(places[1]), 'bytes behind the index by path')
        check((self.version >= 13) == (places[1][:4] == b'QDFP'), 'the form of the index by path')
        check(len(paths) == count == len(hashes), 'number of files')
        check({fnv(path, seed): at for path, at in paths.items()} == hashes, 'hashes of paths')
        check(all(paths[path] == at for path, at in pruned.items()), 'the pruned index')
        at = lambda place: self.encoded(Reader(encoded, place)) if place >= 0 else plain[-place - 1]
        return {path: at(place) for path, place in paths.items()}

    def folders(self, reader):
        found, seen = {}, set()
        for _ in range(reader.u32()):
            folder = reader.string()
            seen.add(folder)
            for _ in range(reader.u32()):
                name = reader.utf8() if self.version >= 12 else reader.string()
                found[folder.lstrip('/') + name] = reader.i32()
        for folder in seen - {'/'}:
            above = folder.rstrip('/').rpartition('/')[0]
            check((above + '/' if above else '/') in seen, 'a folder above ' + folder)
        return found

    def flat(self, data):
        reader = Reader(data, 4)
        dirs, files, restart, dir_bytes, name_bytes, count, pad = [reader.i32() for _ in range(7)]
        check(pad == 0 and count == files, 'counts')
        hashes = [reader.u64() for _ in range(count)]
        check(hashes == sorted(hashes), 'hashes are not sorted')
        by_hash = dict(zip(hashes, [reader.i32() for _ in range(count)]))
        anchors = [reader.i32() for _ in range(-(-dirs // restart) + 1)]
        firsts = [reader.i32() for _ in range(dirs + 1)]
        names = [reader.i32() for _ in range(files + 1)]
        places = [reader.i32() for _ in range(files)]
        blob, text = Reader(reader.take(dir_bytes)), reader.take(name_bytes)
        check(reader.at == len(data), 'bytes behind the index by path')
        found, folder, before = {}, b'', None
        for row in range(dirs):
            if row % restart == 0:
                check(anchors[row // restart] == blob.at, 'an anchor')
            shared = blob.i32()
            check(row % restart or shared == 0, 'a folder that is not whole')
            folder = folder[:shared] + blob.take(blob.i32())
            check(before is None or before < folder, 'folders are not sorted')
            before = folder
            for file in range(firsts[row], firsts[row + 1]):
                name = text[names[file]:names[file + 1]].decode('utf-8')
                found[folder.decode('utf-8').lstrip('/') + name] = places[file]
        check(anchors[-1] == blob.at == dir_bytes and firsts[-1] == files, 'ends')
        check(sorted(by_hash.values()) == sorted(places), 'places by hash')
        return found

    def files(self):
        return {path: self.content(entry) for path, entry in self.entries().items() if not entry['flags'] & 2}


class Store:
    def __init__(self, toc, blocks):
        self.toc, self.blocks = toc, blocks

    def files(self):
        reader = Reader(self.toc)
        check(reader.take(16) == b'-==--==--==--==-', 'no table of contents')
        version = reader.u8()
        reader.take(3)
        header, chunks, blocks, row, methods, name_size, block_size, index_size, parts = [
            reader.u32() for _ in range(9)]
        check((header, row, parts) == (144, 12, 1), 'sizes of rows')
        reader.take(8 + 16)
        flags = reader.u8()
        check(flags & 2 == 0, 'it is encrypted')
        reader.take(3)
        seeds = reader.u32()
        reader.take(8)
        unhashed = reader.u32()
        reader.u32()
        ivs = reader.u32()
        reader.take(36)
        check(reader.at == 144, 'the header')
        ids = [reader.take(12) for _ in range(chunks)]
        check(len(set(ids)) == chunks, 'chunks are there twice')
        number = lambda: int.from_bytes(reader.take(5), 'big')
        ranges = [(number(), number()) for _ in range(chunks)]
        reader.take(4 * seeds + 4 * unhashed)
        little = lambda size: int.from_bytes(reader.take(size), 'little')
        rows = [(little(5), little(3), little(3), little(1)) for _ in range(blocks)]
        reader.take(12 * ivs)
        names = [reader.take(name_size).rstrip(b'\0').decode() for _ in range(methods)]
        index = Reader(reader.take(index_size))
        metas = [reader.take(33 if version <= 7 else 24) for _ in range(chunks)]
        check(reader.at == len(self.toc), 'bytes behind the table of contents')
        check(sum(-(-length // block_size) for _, length in ranges) == blocks, 'blocks that no chunk has')
        contents = []
        for offset, length in ranges:
            check(offset % block_size == 0, 'a chunk starts within a block')
            whole = b''
            for block in rows[offset // block_size:offset // block_size + -(-length // block_size)]:
                start, stored, size, method = block
                check(start % 16 == 0, 'a block starts elsewhere')
                piece = self.blocks[start:start + stored]
                if method:
                    piece = {'Zlib': zlib.decompress}[names[method - 1]](piece)
                check(len(piece) == size, 'a block has another size')
                whole += piece
            check(len(whole) == length, 'a chunk has another size')
            contents.append(whole)
        check(all(any(meta[:20]) for meta in metas), 'a chunk without a hash')
        kinds = {ids[row][11]: row for row in range(chunks)}
        self.header(contents[kinds[6]], [ids[row][:8] for row in range(chunks) if ids[row][11] == 1])
        return {path: contents[row] for path, row in self.paths(index)}

    def paths(self, index):
        self.mount = index.string()
        folders = [[index.u32() for _ in range(4)] for _ in range(index.u32())]
        files = [[index.u32() for _ in range(3)] for _ in range(index.u32())]
        strings = [index.string() for _ in range(index.u32())]
        check(index.at == len(index.data), 'bytes behind the index by path')
        none, found, reached = 0xFFFFFFFF, [], 0
        waiting = [(0, '')]
        while waiting:
            row, above = waiting.pop()
            name, child, sibling, file = folders[row]
            reached += 1
            path = above if name == none else above + strings[name] + '/'
            if sibling != none:
                waiting.append((sibling, above))
            if child != none:
                waiting.append((child, path))
            while file != none:
                name, following, chunk = files[file]
                found.append((path + strings[name], chunk))
                file = following
        check(reached == len(folders) and len(found) == len(files), 'what no list reaches')
        return found

    def header(self, data, packages):
        reader = Reader(data)
        check(reader.take(4) == b'nCoI', 'the container header')
        version = reader.i32()
        reader.u64()
        if version <= 1:
            check(reader.u32() == len(packages), 'number of packages')
        ids = [reader.take(8) for _ in range(reader.u32())]
        check(sorted(ids) == sorted(packages), 'packages of the container header')
        order = [int.from_bytes(number, 'little') for number in ids]
        check(order == sorted(order), 'packages are not sorted')
        entries = Reader(reader.take(reader.u32()))
        size = 24 if version < 3 else 16
        check(len(entries.data) >= size * len(ids), 'store entries')
        end = size * len(ids)
        for row in range(len(ids)):
            for view, unit in ((size - 16, 8), (size - 8, 20)):
                place = row * size + view
                count, offset = struct.unpack_from('<II', entries.data, place)
                if count:
                    check(place + offset == end, 'a list of a package is elsewhere')
                    end += count * unit
        check(end == len(entries.data), 'bytes behind the store entries')


def read(path):
    data = open(path, 'rb').read()
    if path.endswith('.utoc'):
        container = Store(data, open(path[:-4] + 'ucas', 'rb').read())
    else:
        container = Pak(data)
    files = {path: content.hex() for path, content in container.files().items()}
    return {'files': files, 'mount': container.mount}


def main():
    for path in sys.argv[1:]:
        try:
            print(json.dumps(read(path)))
        except (Damaged, KeyError, IndexError, struct.error, UnicodeDecodeError, zlib.error) as error:
            print(json.dumps({'error': '%s: %s' % (type(error).__name__, error)}))


main()
