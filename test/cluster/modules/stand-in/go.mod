// Plays the workloads of the tests' node; see main.go.
module poimen.dev/test-cluster/stand-in

go 1.26.0
