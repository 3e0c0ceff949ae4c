// Parsers of foreign input take time linear in the length of their input.
import { expect, test } from 'vitest'
import { superLinear } from '#contract/testing/growth.ts'
import { nameWithTrueExtension } from './domain/media/prepare/kind.ts'
import { number } from './lib/format.ts'

test.each([
  ['the name of a picked file', (it: string) => nameWithTrueExtension(it, 'jpg')],
  ['a number', (it: string) => number(it.length)],
])('%s is read in linear time', async (_, parse) => expect(await superLinear(parse)).toEqual([]))
