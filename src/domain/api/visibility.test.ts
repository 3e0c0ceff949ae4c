// Requests that were sent before a block or mute changed the visible people.
import { expect, test } from 'vitest'
import { askSeeing, sightChanged } from './visibility.ts'

test('an answer asked for before somebody was hidden is asked for again', async () => {
  const said: string[] = ['with them', 'without them']
  const asked = askSeeing(async () => {
    const answer = said.shift()
    await Promise.resolve()
    return answer
  })
  sightChanged()
  expect(await asked).toBe('without them')
  expect(said).toEqual([])
})

test('a refusal of before is asked again too, one of after stands', async () => {
  let asks = 0
  const asked = askSeeing(async () => {
    asks++
    await Promise.resolve()
    throw new Error(`refused ${asks}`)
  })
  sightChanged()
  await expect(asked).rejects.toThrow('refused 2')
})

test('an answer while nothing changed is taken as it is', async () => {
  let asks = 0
  expect(await askSeeing(() => Promise.resolve(++asks))).toBe(1)
})
