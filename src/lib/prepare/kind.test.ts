// Kinds by bytes (specification section 5): the name of a file proves nothing.
import { expect, test } from 'vitest'
import { recognise, trueName } from './kind.ts'

const hex = (text: string) => new Blob([Uint8Array.from(text.match(/../g) ?? [], (it) => parseInt(it, 16))])
const box = (brand: string) => new Blob([`\0\0\0\u0014ftyp${brand}\0\0\u0002\0${brand}`, new Uint8Array(64)])

test.each([
  ['JPEG', hex('ffd8ffe000104a46494600010100000100010000ffdb0043'), 'jpg', 'image'],
  ['GIF', new Blob(['GIF89a@\0@\0\0\0\0;']), 'gif', 'image'],
  ['HEIC', box('heic'), 'heic', 'image'],
  ['MP4', box('isom'), 'mp4', 'video'],
  ['QuickTime', box('qt  '), 'mov', 'video'],
  ['M4V', box('M4V '), 'm4v', 'video'],
  ['raw HEVC', hex('0000000140010c01ffff0160000003009000000300000300'), 'hevc', 'video'],
  ['raw HEVC with a short start code', hex('00000140010c01ffff01600000030090'), 'hevc', 'video'],
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
  ['an MPEG-2 video stream', hex('000001b3014000f0')],
])('%s is no file the editor takes', async (_, file) => {
  expect((await recognise(file))?.kind).toBeUndefined()
})

test.each([
  ['photo.jpeg', 'jpg', 'photo.jpeg'],
  ['photo.JPG', 'jpg', 'photo.JPG'],
  ['clip.png', 'mp4', 'clip.mp4'],
  ['a.b.mp4', 'mov', 'a.b.mov'],
  ['写真', 'jpg', '写真.jpg'],
  ['.png', 'jpg', 'file.jpg'],
])('%s that is %s is called %s', (name, format, called) => {
  expect(trueName(name, format)).toBe(called)
})
