// Where the page of a payment may lead: https, or a path of this server.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { begunPayment } from './payments.ts'

const reply = (start: object, form: object | null = null) => ({
  id: '01890000-0000-7000-8000-000000000001',
  state: 'pending',
  amount: 500,
  expires_at: '2026-12-10T03:00:00.000Z',
  start,
  form,
})
const isAccepted = (url: string) => v.is(begunPayment, reply({ is: 'redirect', url }))
const posts = (action: string) => v.is(begunPayment, reply({ is: 'form', form: { action, fields: [] } }))

test.each([
  'https://pay.example/p/1?x=a@b#c',
  'https://pay.example:8443',
  'https://[2001:db8::1]/p',
  '/api/payment-sandbox/pages/1?x=//y',
])('%s is followed', (url) => {
  expect([isAccepted(url), posts(url)]).toEqual([true, true])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://pay.example',
  'https:/pay.example',
  'https:///pay.example',
  'https://user:password@pay.example/',
  'https://todoke.example@pay.example/',
  'https://pay.example\\@other.example/',
  '//pay.example',
  '/\\pay.example',
  '/\t/pay.example',
  '/\n/pay.example',
  '\\\\pay.example',
  ' https://pay.example',
  'pay.example',
  '',
])('%j is not followed', (url) => {
  expect([isAccepted(url), posts(url)]).toEqual([false, false])
})
