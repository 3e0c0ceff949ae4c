// The open payment providers, while selling is off too.
import { expect, test } from 'vitest'
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'
import { noticeEnd, providersOf } from './providers.ts'

const named = (name: string, hasOwnAddress: boolean) => ({ name, hasOwnAddress }) as PaymentProvider
const [plain, own] = [named('plain', false), named('own', true)]

test('the address of the notices of a provider stays the same when selling is off', () => {
  for (const providers of [providersOf(plain, [own]), providersOf(undefined, [plain, own])])
    expect([noticeEnd(providers, plain), noticeEnd(providers, own)]).toEqual(['', '/own'])
})

test('while selling is off, earlier providers alone are open', () => {
  const { current, all, of } = providersOf(undefined, [own])
  expect([current, all, of('own'), of('plain')]).toEqual([undefined, [own], own, undefined])
})
