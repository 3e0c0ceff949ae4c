// Builds heic-sandbox.html: heic2any and its frame script as one inline script.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'

/** The document. The server allows its only script, which is inline, by its hash. */
export function heicSandboxPage(): string {
  const library = readFileSync(fileURLToPath(import.meta.resolve('heic2any/dist/heic2any.min.js')), 'utf8')
  const frame = readFileSync(new URL('frame.ts', import.meta.url), 'utf8')
  // Browsers normalise line ends to LF before they hash the script.
  const script = `${library}\n;${stripTypeScriptTypes(frame)}`.replace(/\r\n?/g, '\n')
  if (/<\/script|<!--/i.test(script)) throw new Error('the script would end its own element')
  return `<!doctype html>\n<html lang="ja"><head><meta charset="utf-8"><title>HEIC</title></head><body><script>${script}</script></body></html>\n`
}

export function heicSandbox(): Plugin {
  return {
    name: 'heic-sandbox',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: HEIC_SANDBOX_PATH.slice(1), source: heicSandboxPage() })
    },
  }
}
