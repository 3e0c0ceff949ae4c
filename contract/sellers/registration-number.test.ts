// Registration numbers: what is accepted, and a wrong digit.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { registrationNumber } from './registration-number.ts'

const codeOf = (text: string) => {
  const read = v.safeParse(registrationNumber, text)
  return read.success ? read.output : read.issues[0].message
}

test.each([
  // Numbers of a railway company, of a foreign one and of a person, as they publish them.
  ['T9011001029597', 'T9011001029597'],
  ['T1700150104215', 'T1700150104215'],
  ['T2810703528253', 'T2810703528253'],
  [' ｔ９０１１００１０２９５９７ ', 'T9011001029597'],
  ['T9-0110-0102-9597', 'T9011001029597'],
  ['', 'required'],
  ['9011001029597', 'registration_number'],
  ['T901100102959', 'registration_number'],
  ['T90110010295970', 'registration_number'],
])('%j is read as %s', (typed, read) => {
  expect(codeOf(typed)).toBe(read)
})

test('a wrong digit and two digits in the wrong order are refused', () => {
  for (let at = 1; at < 14; at++) {
    const right = 'T9011001029597'
    const digit = Number(right[at])
    // Nine in the place of zero has the same check digit.
    const wrong = digit === 0 || digit === 9 ? 5 : (digit + 1) % 9
    expect(codeOf(right.slice(0, at) + wrong + right.slice(at + 1))).toBe('registration_number')
  }
  expect(codeOf('T9011001029579')).toBe('registration_number')
})
