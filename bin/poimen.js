#!/usr/bin/env node
'use strict';

// Runs on any Node, so that it can say which one is needed. What is asked often and answered from a text file
// (--version, --help) is answered here, before anything is loaded: a shell's completion and a person's first look wait for it.

const fs = require('node:fs');
const path = require('node:path');

const root = path.dirname(__dirname);
const dist = path.join(root, 'dist');
const argv = process.argv.slice(2);

main();

function main() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) {
    fail(
      'poimen needs Node 24 or later, this is ' + process.version,
      'inside the package, run it through npx: npx poimen ' + argv.join(' '),
      'elsewhere, install Node 24 and put it first on PATH',
    );
    return;
  }
  const text = prerendered();
  if (text !== undefined) {
    print(1, text);
    return;
  }
  const bundle = path.join(dist, 'main.js');
  if (!fs.existsSync(bundle)) {
    fail('poimen is not built: ' + bundle + ' does not exist', 'npm run build', 'or run the sources: node bin/dev.js');
    return;
  }
  require('node:module').enableCompileCache();
  if (process.env.POIMEN_DEBUG) process.setSourceMapsEnabled(true);
  void import('../dist/main.js').then((poimen) => poimen.main(argv));
}

/** The version, or the help of a command, when that is all that was asked. */
function prerendered() {
  const first = argv[0];
  if (first === '--version' || first === '-v') return read(path.join(dist, 'version.txt'));
  const help = argv.length === 0 || wantsHelp();
  if (!help) return undefined;
  const command = first === 'help' ? argv[1] : first;
  if (command === undefined || command.startsWith('-')) return read(path.join(dist, 'help', 'poimen.txt'));
  const second = first === 'help' ? argv[2] : argv[1];
  const isWord = (word) => /^[a-z][a-z-]*$/.test(word);
  if (!isWord(command)) return undefined;
  const ofTwoWords = second !== undefined && isWord(second) ? read(path.join(dist, 'help', command + ' ' + second + '.txt')) : undefined;
  return ofTwoWords || read(path.join(dist, 'help', command + '.txt'));
}

function wantsHelp() {
  if (argv[0] === 'help') return true;
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((argument) => argument === '--help' || argument === '-h');
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function fail(summary, ...nextSteps) {
  print(2, 'error: ' + summary + '\n' + nextSteps.map((step) => '  next: ' + step + '\n').join(''));
  process.exitCode = 2;
}

/** Not process.stdout: opening that stream costs more than all the rest of this file. */
function print(fd, text) {
  try {
    fs.writeSync(fd, text);
  } catch (error) {
    if (error.code !== 'EPIPE') throw error;
  }
}
