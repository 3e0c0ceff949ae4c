// Detects the kind of a file by its bytes, not its name (specification section 5).
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { recognise, nameWithTrueExtension } from './kind.ts'

const hex = (text: string) =>
  new Blob([Uint8Array.from(defined(text.match(/../g)), (it) => parseInt(it, 16))])
const box = (brand: string) => new Blob([`\0\0\0\u0014ftyp${brand}\0\0\u0002\0${brand}`, new Uint8Array(64)])

/** An EBML header with this DocType. */
const ebml = (docType: string) =>
  new Blob([
    Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 0x80 | (docType.length + 3), 0x42, 0x82, 0x80 | docType.length),
    docType,
    new Uint8Array(64),
  ])
/** Four packets of 188 bytes, each with its sync byte. */
const transportStream = () => {
  const bytes = new Uint8Array(4 * 188)
  for (let at = 0; at < bytes.length; at += 188) bytes[at] = 0x47
  return new Blob([bytes])
}
/** An ASF header whose first object describes a stream of this type. */
const asf = (streamType: string) =>
  hex(
    `3026b2758e66cf11a6d900aa0062ce6c` + // header object
      `80000000000000000100000001029107dcb7b7a9cf118ee600c00c205365` + // size, count, stream properties object
      `6000000000000000${streamType}${'00'.repeat(80)}`,
  )

test.each([
  ['JPEG', hex('ffd8ffe000104a46494600010100000100010000ffdb0043'), 'jpg', 'image'],
  ['GIF', new Blob(['GIF89a@\0@\0\0\0\0;']), 'gif', 'image'],
  ['HEIC', box('heic'), 'heic', 'image'],
  ['MP4', box('isom'), 'mp4', 'video'],
  ['QuickTime', box('qt  '), 'mov', 'video'],
  ['M4V', box('M4V '), 'm4v', 'video'],
  ['raw HEVC', hex('0000000140010c01ffff0160000003009000000300000300'), 'hevc', 'video'],
  ['raw HEVC with a short start code', hex('00000140010c01ffff01600000030090'), 'hevc', 'video'],
  ['3GP', box('3gp4'), '3gp', 'video'],
  ['Matroska', ebml('matroska'), 'mkv', 'video'],
  ['AVI', new Blob(['RIFF\x24\0\0\0AVI LIST', new Uint8Array(64)]), 'avi', 'video'],
  ['FLV', new Blob(['FLV\x01\x05\0\0\0\x09', new Uint8Array(64)]), 'flv', 'video'],
  ['MPEG transport stream', transportStream(), 'ts', 'video'],
  ['MPEG video', hex('000001b3014000f0'), 'mpg', 'video'],
  ['WMV', asf('c0ef19bc4d5bcf11a8fd00805f5c442b'), 'wmv', 'video'],
  ['WMA', asf('409e69f84d5bcf11a8fd00805f5c442b'), 'wmv', undefined],
  ['WebM', ebml('webm'), 'webm', undefined],
  ['TIFF', hex('49492a00080000000000000000000000'), 'tif', undefined],
  ['a bare SVG', new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>']), 'svg', 'image'],
  [
    'an SVG behind a prolog, a comment and a doctype',
    new Blob([
      '\uFEFF<?xml version="1.0"?>\n<!-- <html> -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg><script/></svg>',
    ]),
    'svg',
    'image',
  ],
  ['a playlist', new Blob(['#EXTM3U\n']), 'm3u8', undefined],
  ['BMP', hex('424d36240000000000003600000028000000400000003000'), 'bmp', undefined],
  ['AVIF', box('avif'), 'avif', undefined],
] as const)('%s is recognised', async (_, file, format, kind) => {
  expect(await recognise(file)).toMatchObject({ format, kind })
})

test.each([
  ['HTML', new Blob(['<script>alert(1)</script>'])],
  ['HTML behind a comment', new Blob(['<!-- c --><html><svg></svg></html>'])],
  [
    'HTML with a doctype',
    new Blob(['<!DOCTYPE html><svg></svg>'].map((it) => it.replace('<svg>', '<p><svg>'))),
  ],
  ['nothing', new Blob([])],
  ['a cut-off start', hex('000000')],
])('%s is not accepted by the editor', async (_, file) => {
  expect((await recognise(file))?.kind).toBeUndefined()
})

test.each([
  ['photo.jpeg', 'jpg', 'photo.jpeg'],
  ['photo.JPG', 'jpg', 'photo.JPG'],
  ['clip.png', 'mp4', 'clip.mp4'],
  ['a.b.mp4', 'mov', 'a.b.mov'],
  ['写真', 'jpg', '写真.jpg'],
  ['.png', 'jpg', 'file.jpg'],
])('%s with the format %s is renamed to %s', (name, format, renamed) => {
  expect(nameWithTrueExtension(name, format)).toBe(renamed)
})
