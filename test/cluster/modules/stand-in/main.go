// Plays a workload of the tests' node: a server that behaves as it is told, a client that keeps asking, and the pause process of a pod.
// Static and without a shell, so that an image can hold it alone.
//
//	stand-in                     serve; see config. Unknown arguments are ignored: the example passes those of the real servers
//	stand-in ask URL [flags]     ask again and again, one line of JSON per answer
//	stand-in pause               wait for SIGTERM
//
// What it serves is read from FILE.json beside the executable FILE, then from the environment variable STAND_IN (JSON as well), field by
// field: an image has defaults, a copy on a volume its own, and a test overrides what it wants.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

type config struct {
	Port int `json:"port"`
	// Until it listens at all: a load that takes its time.
	StartDelay duration `json:"startDelay"`
	// By path. /health is 200 from the start; everything else is 404.
	Answers map[string]answer `json:"answers"`
	// Of each answer but those of /health.
	Latency duration `json:"latency"`
	// How long after SIGTERM it still answers as before, kept connections included, until it exits. Longer than the pod's grace
	// period: it is killed.
	Linger duration `json:"linger"`
	// How long after it began to listen it exits with code 1; 0 is never.
	CrashAfter duration `json:"crashAfter"`
}

type duration time.Duration

func (d *duration) UnmarshalJSON(text []byte) error {
	var written string
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	parsed, err := time.ParseDuration(written)
	*d = duration(parsed)
	return err
}

func main() {
	log.SetFlags(log.LstdFlags | log.Lmicroseconds)
	mode := ""
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	switch mode {
	case "ask":
		ask(os.Args[2:])
	case "pause":
		<-terminated()
	default:
		serve(readConfig())
	}
}

// The first process of a container has no default action for SIGTERM: without a handler it would be ignored.
func terminated() <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	return signals
}

func readConfig() config {
	settings := config{Port: 8080}
	executable, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(executable + ".json")
	if err == nil {
		err = json.Unmarshal(text, &settings)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Fatalf("%s.json: %v", executable, err)
	}
	if overrides := os.Getenv("STAND_IN"); overrides != "" {
		if err := json.Unmarshal([]byte(overrides), &settings); err != nil {
			log.Fatalf("STAND_IN: %v", err)
		}
	}
	return settings
}

func serve(settings config) {
	stop := terminated()
	log.Printf("starting, listens in %v", time.Duration(settings.StartDelay))
	select {
	case <-time.After(time.Duration(settings.StartDelay)):
	case <-stop:
		log.Print("terminated before it listened")
		return
	}

	listener, err := net.Listen("tcp", fmt.Sprintf(":%d", settings.Port))
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listening on %d", settings.Port)
	go func() { log.Fatal(http.Serve(listener, handler(settings))) }()

	var crash <-chan time.Time
	if settings.CrashAfter > 0 {
		crash = time.After(time.Duration(settings.CrashAfter))
	}
	select {
	case <-crash:
		log.Print("crashing, as told")
		os.Exit(1)
	case <-stop:
		log.Printf("terminated, still answers for %v", time.Duration(settings.Linger))
		time.Sleep(time.Duration(settings.Linger))
	}
}

func handler(settings config) http.Handler {
	hostname, _ := os.Hostname() // the pod's name
	var asked atomic.Int64
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("X-Served-By", hostname)
		if request.URL.Path == "/health" {
			fmt.Fprintln(response, "ok")
			return
		}
		time.Sleep(time.Duration(settings.Latency))
		planned, known := settings.Answers[request.URL.Path]
		log.Printf("%d %s %s from %s", asked.Add(1), request.Method, request.URL.Path, request.RemoteAddr)
		if !known {
			http.NotFound(response, request)
			return
		}
		response.Header().Set("Content-Type", "application/json")
		if planned.Status != 0 {
			response.WriteHeader(planned.Status)
		}
		response.Write(planned.Body)
	})
}

// One line of what `ask` prints.
type observation struct {
	// Seconds since the first request began, and how long this one took.
	At   float64 `json:"at"`
	Took float64 `json:"took"`
	// Absent when there was no answer.
	Status   int    `json:"status,omitempty"`
	ServedBy string `json:"servedBy,omitempty"`
	Body     string `json:"body,omitempty"`
	Error    string `json:"error,omitempty"`
	// Whether the connection of an earlier request served this one.
	Reused bool `json:"reused"`
}

func ask(arguments []string) {
	flags := flag.NewFlagSet("ask", flag.ExitOnError)
	count := flags.Int("count", 1, "how often; 0 is until it is ended")
	interval := flags.Duration("interval", 200*time.Millisecond, "from the end of one to the start of the next")
	timeout := flags.Duration("timeout", 2*time.Second, "of one request")
	keepAlive := flags.Bool("keep-alive", false, "keep the connection from one request to the next")
	if len(arguments) == 0 {
		log.Fatal("usage: stand-in ask URL [flags]")
	}
	url := arguments[0]
	flags.Parse(arguments[1:])

	transport := &http.Transport{DisableKeepAlives: !*keepAlive}
	client := &http.Client{Timeout: *timeout, Transport: transport}
	output := json.NewEncoder(os.Stdout)
	startedAt := time.Now()
	for asked := 0; *count == 0 || asked < *count; asked++ {
		if asked > 0 {
			time.Sleep(*interval)
		}
		output.Encode(askOnce(client, url, startedAt))
	}
}

func askOnce(client *http.Client, url string, startedAt time.Time) observation {
	began := time.Now()
	seen := observation{At: began.Sub(startedAt).Seconds()}
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		log.Fatal(err)
	}
	request = request.WithContext(withReuse(request.Context(), &seen.Reused))
	response, err := client.Do(request)
	if err == nil {
		body, readError := io.ReadAll(response.Body)
		response.Body.Close()
		seen.Status, seen.ServedBy, seen.Body, err = response.StatusCode, response.Header.Get("X-Served-By"), strings.TrimSpace(string(body)), readError
	}
	if err != nil {
		seen.Error = err.Error()
	}
	seen.Took = time.Since(began).Seconds()
	return seen
}
