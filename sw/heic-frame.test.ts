// Tests the policy of the shell in a browser without WebAssembly.
import { expect, test } from 'vitest'
import { allowHeicFrame } from './heic-frame.ts'

const policy = "default-src 'none';script-src 'self' 'wasm-unsafe-eval';worker-src 'self'"
const shell = (headers: Record<string, string>) => new Response('<!doctype html>', { headers })

test('the shell gets permission to embed the address of the decoder only', async () => {
  const allowed = allowHeicFrame(
    shell({ 'content-security-policy': policy, 'content-type': 'text/html' }),
    'https://todoke.example',
  )
  expect(allowed.headers.get('content-security-policy')).toBe(
    `${policy}; frame-src https://todoke.example/heic-sandbox.html`,
  )
  expect(allowed.headers.get('content-type')).toBe('text/html')
  expect(await allowed.text()).toBe('<!doctype html>')
})

test('a shell without a policy, or with rules for frames, is not changed', () => {
  for (const it of [shell({}), shell({ 'content-security-policy': `${policy};frame-src 'none'` })])
    expect(allowHeicFrame(it, 'https://todoke.example')).toBe(it)
})
