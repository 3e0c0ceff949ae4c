// Planted faults in what nginx and shared caches send, and in stopping behind nginx.
import type { Fault } from '../fault.ts'

const nginx = 'deploy/nginx/todoke.conf'
const media = ['server/nginx-media.test.ts']
const caches = ['server/cdn.test.ts']

export const servingFaults: readonly Fault[] = [
  {
    name: 'nginx sends other files of the data folder',
    file: nginx,
    find: '        return 404;\n\n        # Nothing else',
    replace: '        alias /var/lib/todoke/;\n\n        # Nothing else',
    tests: media,
    caughtBy: 'has no file of the data folder besides objects',
  },
  {
    name: 'nginx drops the policy that keeps a stored file from running scripts',
    file: nginx,
    find: '        add_header Content-Security-Policy $upstream_http_content_security_policy always;\n',
    replace: '',
    tests: media,
    caughtBy: 'headers are those of a server that sends the bytes itself',
  },
  {
    name: 'nginx sends a request that a server may have received to another one',
    file: nginx,
    find: 'proxy_next_upstream error timeout;',
    replace: 'proxy_next_upstream error timeout non_idempotent;',
    tests: ['server/nginx.test.ts'],
    caughtBy: 'only if it may be repeated',
  },
  {
    name: 'shared caches may store media of priced posts',
    file: 'server/modules/media/send.ts',
    find: "'private, no-cache' : 'private, max-age=300'",
    replace: "'private, no-cache' : 'max-age=300'",
    tests: caches,
    caughtBy: 'of a priced post',
  },
  {
    name: 'a key leaves the prefix of the internal locations',
    file: 'server/services/media/send-object.ts',
    find: '...checkKey(key).split',
    replace: '...key.split',
    tests: ['server/services/media/send-object.test.ts'],
    caughtBy: 'is refused',
  },
]
