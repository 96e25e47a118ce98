#!/usr/bin/env node
'use strict';

// Runs the sources, without the build step. Slower to start; otherwise the same.

void import('../src/main.ts').then((poimen) => poimen.main(process.argv.slice(2)));
