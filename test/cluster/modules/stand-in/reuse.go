package main

import (
	"context"
	"net/http/httptrace"
)

// Notes whether a request went out on a connection that an earlier one had opened.
func withReuse(parent context.Context, reused *bool) context.Context {
	return httptrace.WithClientTrace(parent, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { *reused = info.Reused },
	})
}
