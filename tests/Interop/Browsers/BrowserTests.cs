using System.Text.Json;
using System.Text.RegularExpressions;
using Gateway.Interop.FirstHour;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.Browsers;

/// <summary>The resource API from scripts in a browser's page.</summary>
public sealed partial class BrowserTests(BrowserFixture fixture) : IClassFixture<BrowserFixture>
{
    private const string Write = """
        async value => {
          const send = (method, path, body) => fetch("/api/v1" + path, {
            method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
          });
          const written = await send("PUT", "/values", { values: [{ node: "ns=2;s=Int32", value }] });
          const read = await send("POST", "/values/read", { nodes: ["ns=2;s=Int32"] });
          return { written: (await written.json()).results[0].status, read: (await read.json()).values[0] };
        }
        """;

    /// <summary>Opens a stream, writes once its first values are there, and returns the events until the last value has
    /// come.</summary>
    private const string Watch = """
        async last => {
          const put = value => fetch("/api/v1/values", {
            method: "PUT", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ values: [{ node: "ns=2;s=UInt32", value }] }),
          });
          await put(0);
          const path = "/api/v1/stream?interval=100&node=" + encodeURIComponent("ns=2;s=UInt32");
          const stream = new EventSource(path);
          const seen = [];
          await new Promise((resolve, reject) => {
            stream.onerror = () => stream.readyState === EventSource.CLOSED && reject(new Error("the stream ended"));
            stream.addEventListener("values", async event => {
              const { values, skipped } = JSON.parse(event.data);
              seen.push({ value: values[0].value, skipped, id: event.lastEventId });
              if (values[0].value === last) resolve();
              else await put(values[0].value + 1);
            });
          });
          stream.close();
          return seen;
        }
        """;

    /// <summary>Opens a stream of events, makes alarms of the plant's lines active once it is there, and returns how
    /// many it had before, and those that have come. A gateway that is late for a moment has an alarm of its own.
    /// </summary>
    private const string Listen = """
        async count => {
          const set = inputs => fetch("/api/v1/call", {
            method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ object: "ns=2;s=Methods", method: "ns=2;s=SetAlarms", inputs: [inputs] }),
          });
          const stream = new EventSource("/api/v1/events?alarms=active&type=AlarmConditionType&interval=100");
          const alarms = new Map();
          let before;
          await new Promise((resolve, reject) => {
            stream.onerror = () => stream.readyState === EventSource.CLOSED && reject(new Error("the stream ended"));
            stream.addEventListener("events", async event => {
              for (const one of JSON.parse(event.data).events) {
                if (one.alarm && one.sourceName.startsWith("Line ")) alarms.set(one.alarm, one);
                if (one.refresh === "end") { before = alarms.size; await set(count); }
              }
              if (before !== undefined && alarms.size === before + count) resolve();
            });
          });
          stream.close();
          return { before, alarms: [...alarms.values()].slice(before) };
        }
        """;

    /// <summary>Logs in by a sub-protocol, writes once the present value is there, and returns all messages until the
    /// last value has come.</summary>
    private const string Converse = """
        async last => {
          const url = `ws://${location.host}/api/v1/ws`;
          const socket = new WebSocket(url, ["gateway.v1", "basic." + btoa("operator:horse").replaceAll("=", "")]);
          const send = message => socket.send(JSON.stringify(message));
          const seen = [];
          socket.onopen = () => send({ op: "subscribe", id: 1, nodes: ["ns=2;s=UInt16"], interval: 100 });
          await new Promise((resolve, reject) => {
            socket.onclose = event => reject(new Error(`closed: ${event.code} ${event.reason}`));
            socket.onmessage = event => {
              const message = JSON.parse(event.data);
              seen.push({ op: message.op, protocol: socket.protocol, value: message.values?.[0].value });
              if (message.op !== "values") return;
              if (message.values[0].value === last) resolve();
              else send({ op: "write", id: 2, values: [{ node: "ns=2;s=UInt16", value: last }] });
            };
          });
          socket.close();
          return seen;
        }
        """;

    /// <summary>A service in an envelope; another page's origin cannot be set here, so its login is the only one.
    /// </summary>
    private const string Ask = """
        async id => {
          const login = "basic." + btoa("operator:horse").replaceAll("=", "");
          const socket = new WebSocket(`ws://${location.host}/opcua`, ["opcua+openapi", login]);
          const answer = await new Promise((resolve, reject) => {
            socket.onclose = event => reject(new Error(`closed: ${event.code} ${event.reason}`));
            socket.onopen = () => socket.send(JSON.stringify({
              ServiceId: "i=629",
              Body: { RequestHeader: { RequestHandle: 7 }, NodesToRead: [{ NodeId: `i=${id}`, AttributeId: 13 }] },
            }));
            socket.onmessage = event => resolve(JSON.parse(event.data));
          });
          socket.close();
          return answer;
        }
        """;

    private const string Refused = """
        async () => {
          const answer = await fetch("/api/v1/values?node=Int16");
          return { status: answer.status, type: answer.headers.get("Content-Type"), problem: await answer.json() };
        }
        """;

    [PeerFact(PeerProgram.Chromium)]
    public async Task Fetch_WritesAndReads_AValue()
    {
        IPage page = await fixture.OpenAsync();

        JsonElement result = await RunAsync(page, Write, 4711);

        Assert.Equal("Good", result.GetProperty("written").GetString());
        Assert.Equal(4711, result.GetProperty("read").GetProperty("value").GetInt32());
        Assert.Equal("Int32", result.GetProperty("read").GetProperty("type").GetString());
    }

    [PeerFact(PeerProgram.Chromium)]
    public async Task EventSource_OfEvents_BringsAlarmsAsTheyComeUp()
    {
        IPage page = await fixture.OpenAsync();

        JsonElement result = await RunAsync(page, Listen, 3);

        JsonElement[] alarms = [.. result.GetProperty("alarms").EnumerateArray()];
        Assert.Equal(3, alarms.Length);
        Assert.All(alarms, static one => Assert.True(one.GetProperty("active").GetBoolean()));
        Assert.Equal(3, alarms.Select(static one => one.GetProperty("sourceName").GetString()).Distinct().Count());
    }

    [PeerFact(PeerProgram.Chromium)]
    public async Task Fetch_OfSomethingWrong_IsAProblemThatAScriptCanRead()
    {
        IPage page = await fixture.OpenAsync();

        JsonElement result = await RunAsync(page, Refused, 0);

        Assert.Equal(400, result.GetProperty("status").GetInt32());
        Assert.Equal("application/problem+json", result.GetProperty("type").GetString());
        Assert.Equal("BadNodeIdInvalid", result.GetProperty("problem").GetProperty("statusCode").GetString());
    }

    [PeerFact(PeerProgram.Chromium)]
    public async Task EventSource_EachWrite_ComesInOrder()
    {
        IPage page = await fixture.OpenAsync();

        JsonElement seen = await RunAsync(page, Watch, 5);

        Assert.Equal(
            [0, 1, 2, 3, 4, 5], seen.EnumerateArray().Select(one => one.GetProperty("value").GetInt32()));
        Assert.All(seen.EnumerateArray(), one => Assert.NotEmpty(one.GetProperty("id").GetString()!));
    }

    [PeerFact(PeerProgram.Chromium)]
    public async Task WebSocket_WatchedAndWritten_TheWrittenValueComes()
    {
        IPage page = await fixture.OpenAsync();

        JsonElement seen = await RunAsync(page, Converse, 4712);

        List<JsonElement> messages = [.. seen.EnumerateArray()];
        Assert.All(messages, one => Assert.Equal("gateway.v1", one.GetProperty("protocol").GetString()));
        Assert.Equal("subscribed", messages[0].GetProperty("op").GetString());
        Assert.Contains(messages, one => one.GetProperty("op").GetString() == "written");
        Assert.Equal(4712, messages[^1].GetProperty("value").GetInt32());
    }

    [PeerFact(PeerProgram.Chromium)]
    public async Task WebSocket_ServiceInAnEnvelope_IsAnswered()
    {
        IPage page = await fixture.OpenAsync();

        JsonElement answer = await RunAsync(page, Ask, 2259);

        Assert.Equal("i=632", answer.GetProperty("ServiceId").GetString());
        JsonElement body = answer.GetProperty("Body");
        Assert.Equal(7, body.GetProperty("ResponseHeader").GetProperty("RequestHandle").GetInt32());
        Assert.Equal(0, body.GetProperty("Results")[0].GetProperty("Value").GetInt32());
    }

    /// <summary>The page's example of fetch, as it stands there.</summary>
    [PeerFact(PeerProgram.Chromium)]
    public async Task Docs_ExampleOfFetch_PrintsWhatThePageShows()
    {
        string text = await File.ReadAllTextAsync(Path.Combine(Readme.Root(), "docs", "rest.md"));
        Match example = Example().Match(text);
        Assert.True(example.Success);
        string script = example.Groups[1].Value.Replace(
            "http://localhost:8080", fixture.Origin, StringComparison.Ordinal);
        IPage page = await fixture.OpenAsync();

        // The browser itself says there that the gateway has no icon.
        IConsoleMessage printed = await page.RunAndWaitForConsoleMessageAsync(
            () => page.EvaluateAsync($"async () => {{ {script} }}"),
            new() { Predicate = static message => message.Type == "log" });

        Assert.Equal(example.Groups[2].Value, printed.Text);
    }

    /// <summary>What the script returns, as JSON.</summary>
    private static async Task<JsonElement> RunAsync(IPage page, string script, int argument)
    {
        string text = await page
            .EvaluateAsync<string>($"async argument => JSON.stringify(await ({script})(argument))", argument)
            .WaitAsync(Patience.Limit);
        return JsonDocument.Parse(text).RootElement;
    }

    [GeneratedRegex("```js\n([^`]*fetch[^`]*)```\n\n```text\n([^`]*)\n```")]
    private static partial Regex Example();
}
