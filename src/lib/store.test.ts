// Stores and signals outside React.
import { expect, test } from 'vitest'
import { createSignal, createStore } from './store.ts'

test('a store has its first value until another is set, and calls its listeners at each change', () => {
  const store = createStore(1)
  const seen: number[] = []
  store.subscribe(() => seen.push(store.get()))
  expect(store.get()).toBe(1)
  store.set(2)
  expect([store.get(), seen]).toEqual([2, [2]])
})

test('a listener is called until it has unsubscribed; the others are called further', () => {
  const { emit, subscribe } = createSignal()
  const calls: string[] = []
  const stop = subscribe(() => calls.push('a'))
  subscribe(() => calls.push('b'))
  emit()
  stop()
  emit()
  expect(calls).toEqual(['a', 'b', 'b'])
})

test('a listener that unsubscribes within a call does not prevent the calls of others', () => {
  const { emit, subscribe } = createSignal()
  const calls: string[] = []
  const stop = subscribe(() => {
    calls.push('a')
    stop()
  })
  subscribe(() => calls.push('b'))
  emit()
  emit()
  expect(calls).toEqual(['a', 'b', 'b'])
})

test('the source of a store is watched while there are listeners, and once', () => {
  const log: string[] = []
  let set: (next: number) => void = () => {}
  const store = createStore(0, (change) => {
    log.push('start')
    set = change
    return () => log.push('stop')
  })
  expect(log).toEqual([])
  const stops = [store.subscribe(() => log.push('first')), store.subscribe(() => log.push('second'))]
  set(5)
  expect(store.get()).toBe(5)
  stops[0]?.()
  stops[0]?.()
  expect(log).toEqual(['start', 'first', 'second'])
  stops[1]?.()
  stops[1]?.()
  expect(log).toEqual(['start', 'first', 'second', 'stop'])
  store.subscribe(() => {})
  expect(log).toEqual(['start', 'first', 'second', 'stop', 'start'])
})
