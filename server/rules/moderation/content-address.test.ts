// Which content the address of a page names.
import { expect, test } from 'vitest'
import { contentAddress } from './content-address.ts'

const [post, comment, reply] = [1, 2, 3].map((it) => `0199c2a0-0000-7000-8000-00000000000${it}`)
const of = (address: string) => contentAddress(address, ['todoke.example', 'localhost:8787'])

test.each([
  [`https://todoke.example/post/${post}`, { kind: 'post', id: post }],
  [`https://TODOKE.example/post/${post?.toUpperCase()}?x=1#y`, { kind: 'post', id: post }],
  [`http://localhost:8787/post/${post}?uidc=${comment}`, { kind: 'comment', id: comment }],
  [`https://todoke.example/post/${post}?uidc=${comment}&uidr=${reply}`, { kind: 'comment', id: reply }],
  [`https://todoke.example/profile/${post}?type=all`, { kind: 'person', id: post }],
  [`https://todoke.example/chat-messages/${post}?seq=12`, { kind: 'message', personId: post, seq: 12 }],
  // The greatest number of a message that the store has.
  [
    `https://todoke.example/chat-messages/${post}?seq=2147483647`,
    { kind: 'message', personId: post, seq: 2 ** 31 - 1 },
  ],
])('%s names its content', (address, expected) => {
  expect(of(address)).toEqual(expected)
})

test.each([
  '',
  'todoke',
  `https://other.example/post/${post}`,
  `https://todoke.example.other/post/${post}`,
  `https://todoke.example:8443/post/${post}`,
  `https://todoke.example@other.example/post/${post}`,
  `javascript://todoke.example/post/${post}`,
  `xhttps://todoke.example/post/${post}`,
  'https://todoke.example/',
  'https://todoke.example/post/upload',
  `https://todoke.example/plan/${post}`,
  `https://todoke.example/plan/${post}?seq=12`,
  `https://todoke.example/chat-messages/${post}`,
  `https://todoke.example/chat-messages/${post}?seq=1.5`,
  `https://todoke.example/chat-messages/${post}?seq=0`,
  `https://todoke.example/chat-messages/${post}?seq=2147483648`,
])('%s names nothing', (address) => {
  expect(of(address)).toBe(undefined)
})
