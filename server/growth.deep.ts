// The growth of every parser with all of the worst characters, of which `growth.test.ts` takes some.
process.env['GROWTH'] = 'whole'
await import('./growth.test.ts')
