// What a first visit downloads: the JavaScript index.html names, its style, and the service worker.
import { readFileSync } from 'node:fs'

const html = readFileSync('dist/index.html', 'utf8')
const named = (extension: string): string[] =>
  [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)]
    .map((it) => `dist/${it[1]}`)
    .filter((it) => it.endsWith(extension))

export default [
  { name: 'first route, JavaScript', path: named('.js'), gzip: true, limit: '121.3 KB' },
  { name: 'first route, style', path: named('.css'), gzip: true, limit: '20 KB' },
  // Fetched only where a HEIC is picked in a browser without WebAssembly.
  { name: 'HEIC without WebAssembly', path: 'dist/heic-sandbox.html', gzip: true, limit: '360 KB' },
  // A sixth of it are digests of the precached files (decision 053); it also has the addresses of all pages.
  { name: 'service worker', path: 'dist/sw.js', gzip: true, limit: '79.6 KB' },
]
