// The optional restrictions with the specification's messages (section 5).
import { expect, test } from 'vitest'
import { parseRestrictions, postingProblem, restrictionProblem, type Restrictions } from './restrictions.ts'

const MiB = 1024 * 1024
const file = (name: string, size = MiB, type = 'image/jpeg') => ({ name, size, type })
const a = file('a.jpg')

const cases: [Restrictions, ReturnType<typeof file>[], ReturnType<typeof file>, string | undefined][] = [
  [{}, [a, a, a], file('a.jpg', 9000 * MiB), undefined],

  [{ maxNumberOfFiles: 2 }, [a], file('b.jpg'), undefined],
  [{ maxNumberOfFiles: 2 }, [a, file('b.jpg')], file('c.jpg'), 'You can only upload 2 file(s)'],
  [{ maxNumberOfFiles: 0 }, [], a, 'You can only upload 0 file(s)'],

  [{ maxFileSize: 2 * MiB }, [], file('b.jpg', 2 * MiB), undefined],
  [
    { maxFileSize: 2 * MiB },
    [],
    file('海.jpg', 2 * MiB + 1),
    '海.jpg exceeds maximum allowed size of 2.00MB',
  ],

  [{ minFileSize: MiB }, [], file('b.jpg', MiB), undefined],
  [{ minFileSize: MiB }, [], file('b.jpg', MiB - 1), 'This file is smaller than the allowed size of 1.00MB'],

  // Two decimals of a megabyte would be 0.00MB.
  [{ minFileSize: 1024 }, [], file('b.jpg', 1), 'This file is smaller than the allowed size of 1.00KB'],

  [{ maxTotalFileSize: 3 * MiB }, [a], file('b.jpg', 2 * MiB), undefined],
  [
    { maxTotalFileSize: 3 * MiB },
    [a, a],
    file('b.jpg', MiB + 1),
    'b.jpg exceeds maximum allowed size of 3.00MB',
  ],

  [{ allowedFileTypes: ['image/*'] }, [], a, undefined],
  [{ allowedFileTypes: ['image/*'] }, [], file('v.mp4', 1, 'video/mp4'), 'You can only upload: image/*'],
  [{ allowedFileTypes: ['video/mp4'] }, [], file('v.mp4', 1, 'video/mp4; codecs=avc1'), undefined],
  [{ allowedFileTypes: ['.HEIC', '.jpg'] }, [], file('写真.heic', 1, ''), undefined],
  [{ allowedFileTypes: ['.jpg', 'image/png'] }, [], file('x', 1, ''), 'You can only upload: .jpg, image/png'],
  // An extension is not the end of a name.
  [{ allowedFileTypes: ['.pg'] }, [], a, 'You can only upload: .pg'],

  [{ noDuplicates: true }, [a], file('a.jpg'), 'Cannot add the duplicate file'],
  [{ noDuplicates: true }, [a], file('a.jpg', 2 * MiB), undefined],
  [{ noDuplicates: true }, [a], file('b.jpg'), undefined],
]

test.each(cases)('with %o and %o picked before, %o: %s', (restrictions, before, picked, expected) => {
  expect(restrictionProblem(restrictions, before, picked)).toBe(expected)
})

test.each([
  [{}, [], undefined],
  [{ minNumberOfFiles: 2 }, [{ meta: {} }], 'You have to select at least 2 file(s)'],
  [{ minNumberOfFiles: 2 }, [{ meta: {} }, { meta: {} }], undefined],
  [{ requiredMetaFields: ['alt'] }, [{ meta: { alt: '海' } }], undefined],
  [
    { requiredMetaFields: ['alt'] },
    [{ meta: { alt: '海' } }, { meta: { alt: '' } }],
    'Missing required meta fields',
  ],
  [{ requiredMetaFields: ['duration'] }, [{ meta: { duration: null } }], 'Missing required meta fields'],
  [{ requiredMetaFields: ['duration'] }, [{ meta: { duration: 0 } }], undefined],
  [{ requiredMetaFields: ['licence'] }, [{ meta: {} }], 'Missing required meta fields'],
  [{ requiredMetaFields: ['alt'] }, [], undefined],
] satisfies [Restrictions, Parameters<typeof postingProblem>[1], string | undefined][])(
  'with %o, posting %o: %s',
  (restrictions, files, expected) => {
    expect(postingProblem(restrictions, files)).toBe(expected)
  },
)

test('without configuration nothing is restricted, and an invalid configuration throws', () => {
  expect(parseRestrictions(undefined)).toEqual({})
  expect(parseRestrictions('')).toEqual({})
  expect(parseRestrictions('{"maxNumberOfFiles":3}')).toEqual({ maxNumberOfFiles: 3 })
  expect(() => parseRestrictions('{"maxNumberOfFile":3}')).toThrow(/maxNumberOfFile/)
  expect(() => parseRestrictions('{"maxFileSize":"10MB"}')).toThrow(/Invalid type/)
  expect(() => parseRestrictions('3 files')).toThrow(/JSON/)
})
