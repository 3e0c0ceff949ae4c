// README.txt of a person's data export.
import { expect, test } from 'vitest'
import { exportReadme } from './export-readme.ts'

test('the README of a data export matches its transcript, with Windows line ends', async () => {
  const text = exportReadme(new Date('2026-03-05T15:04:00Z'))
  expect(text.split('\r\n').some((it) => it.includes('\n'))).toBe(false)
  expect(text.endsWith('\r\n')).toBe(true)
  await expect(text.replaceAll('\r\n', '\n')).toMatchFileSnapshot('export-readme.transcript.txt')
})
