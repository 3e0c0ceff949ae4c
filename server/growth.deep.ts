// Tests that every parser is linear for all worst-case characters (`growth.test.ts`: a sample).
process.env['GROWTH'] = 'whole'
await import('./growth.test.ts')
