using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Telemetry;
using Gateway.Testing;
using Gateway.Tests.Http;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tracing;
using KeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.Tests.Telemetry;

/// <summary>What a collector gets by OTLP, decoded: spans of HTTP, of UA and of upstreams, log records, metrics.
/// </summary>
[Collection(OwnMetrics.Name)]
public sealed class OtlpTests : IAsyncLifetime
{
    private const string CallOfAdd = """
        {"object":"nsu=urn:gateway:simulator;s=Methods",
         "method":"nsu=urn:gateway:simulator;s=Add","inputs":[2,3]}
        """;

    private const string Int32 = "nsu=urn:gateway:simulator;s=Int32";

    private OtlpReceiver _receiver = null!;

    public async Task InitializeAsync() => _receiver = await OtlpReceiver.StartAsync();

    public Task DisposeAsync() => _receiver.DisposeAsync().AsTask();

    [Theory]
    [InlineData("grpc")]
    [InlineData("http/protobuf")]
    public async Task Export_RequestWithTraceparent_SpanLogAndMetricsOfOneTrace(string protocol)
    {
        var asked = NewContext();
        await using (var gateway = await StartAsync(protocol, "0"))
        {
            using var answer = await SendAsync(
                gateway.Client, HttpMethod.Put, "/api/v1/values", asked,
                $$"""{"values":[{"node":"{{Int32}}","value":5}]}""");
            Assert.Equal(200, (int)answer.StatusCode);
            using var unasked = await gateway.Client.GetAsync("/api/v1/values?node=i=2258");
            await gateway.StopAsync();
        }

        var span = Assert.Single(_receiver.Trace(asked.TraceId.ToHexString()));
        Assert.Equal(asked.SpanId.ToHexString(), span.ParentId);
        Assert.Equal(("PUT /api/v1/values", SpanRole.Server), (span.Name, span.Role));
        Assert.Equal("200", span.Tags["http.response.status_code"]);
        Assert.True(span.Duration > TimeSpan.Zero);
        Assert.Single(_receiver.Spans);

        var record = Assert.Single(_receiver.Records, record => record.TraceId == span.TraceId);
        Assert.Equal(span.SpanId, record.SpanId);
        Assert.StartsWith("Audit ", record.Body, StringComparison.Ordinal);
        Assert.NotEqual("0", record.Tags["event.id"]);

        Assert.Equal("By", _receiver.Metrics["gateway_process_resident_memory_bytes"]);
        Assert.Contains("gateway_otlp_exported_total", _receiver.Metrics.Keys);
        Assert.All(_receiver.Resources, static resource => Assert.Equal("opc-ua-gateway", resource["service.name"]));
        Assert.Single(_receiver.Resources.Select(static resource => resource["service.instance.id"]).Distinct());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Export_UaRequestWithTraceContext_SpanBelowTheClients(bool isSpanContext)
    {
        var asked = NewContext();
        await using (var gateway = await StartAsync("grpc", "0"))
        {
            using var client = new UaClient(new ClientOptions());
            await using var session = await ConnectAsync(client, gateway);
            await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
            {
                RequestHeader = new RequestHeader { AdditionalHeader = HeaderOf(asked, isSpanContext) },
                TimestampsToReturn = TimestampsToReturn.Both,
                NodesToRead = [new ReadValueId { NodeId = new NodeId(2258), AttributeId = 13 }],
            });
            await gateway.StopAsync();
        }

        var span = Assert.Single(_receiver.Spans);
        Assert.Equal(asked.TraceId.ToHexString(), span.TraceId);
        Assert.Equal(asked.SpanId.ToHexString(), span.ParentId);
        Assert.Equal(("Read", SpanRole.Server), (span.Name, span.Role));
        Assert.Equal("opc.tcp", span.Tags["opcua.transport"]);
        Assert.Contains("Send", span.Events);
    }

    /// <summary>What a stream does in the days after its opening is no part of the span.</summary>
    [Fact]
    public async Task Export_StreamOfEvents_SpanEndsWhenTheStreamIsOpen()
    {
        var asked = NewContext();
        var ended = new TaskCompletionSource<Activity>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == RequestTracing.SourceName,
            ActivityStopped = span =>
            {
                if (span.TraceId == asked.TraceId)
                    ended.TrySetResult(span);
            },
        };
        ActivitySource.AddActivityListener(listener);
        await using var gateway = await StartAsync("grpc", "0");
        using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/stream?node=i=2258&interval=50");
        request.Headers.Add("traceparent", $"00-{asked.TraceId}-{asked.SpanId}-01");
        using var answer = await gateway.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);

        var span = await ended.Task.WaitAsync(Patience.Limit);

        Assert.Equal("GET /api/v1/stream", span.DisplayName);
        Assert.Equal(200, span.GetTagItem("http.response.status_code"));
        // It goes on.
        await using var events = await answer.Content.ReadAsStreamAsync();
        Assert.NotEqual(0, await events.ReadAsync(new byte[100]).AsTask().WaitAsync(Patience.Limit));
    }

    /// <summary>HTTP → the gateway → a second gateway, which is the first one's upstream.</summary>
    [Fact]
    public async Task Export_HttpCallOfAnUpstreamsMethod_OneTraceThroughBoth()
    {
        var asked = NewContext();
        await using (var plant = await StartAsync("grpc", "0"))
        await using (var gateway = await StartAsync(
            "grpc", "0", "--Simulator:Enabled=false", "--Upstreams:0:Name=Plant",
            $"--Upstreams:0:EndpointUrl={UrlOf(plant)}", "--Upstreams:0:SecurityPolicy=None",
            "--Upstreams:0:SecurityMode=None"))
        {
            await ServedAsync(gateway.Client);
            using var answer = await SendAsync(
                gateway.Client, HttpMethod.Post, "/api/v1/call", asked, CallOfAdd);
            Assert.Contains("\"outputs\":[5]", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
            await gateway.StopAsync();
            await plant.StopAsync();
        }

        var trace = _receiver.Trace(asked.TraceId.ToHexString());
        var http = Assert.Single(trace, static span => span.Tags.ContainsKey("http.route"));
        var outgoing = Assert.Single(trace, static span => span.Role == SpanRole.Client);
        var incoming = Assert.Single(trace, static span => span.Role == SpanRole.Server && span.Name == "Call");
        Assert.Equal(3, trace.Count);
        Assert.Equal(asked.SpanId.ToHexString(), http.ParentId);
        Assert.Equal(("Call", http.SpanId), (outgoing.Name, outgoing.ParentId));
        Assert.Equal(outgoing.SpanId, incoming.ParentId);
    }

    [Fact]
    public async Task Export_ServiceOverHttp_SpanOfTheServiceBelowThatOfTheRequest()
    {
        var asked = NewContext();
        await using (var gateway = await StartAsync("grpc", "0"))
        {
            using var answer = await SendAsync(
                gateway.Client, HttpMethod.Post, "/opcua/read", asked,
                """{"NodesToRead":[{"NodeId":"i=2258","AttributeId":13}]}""");
            Assert.Equal(200, (int)answer.StatusCode);
            await gateway.StopAsync();
        }

        var trace = _receiver.Trace(asked.TraceId.ToHexString());
        var service = Assert.Single(trace, static span => span.Name == "Read");
        Assert.Equal(Assert.Single(trace, static span => span.Name != "Read").SpanId, service.ParentId);
    }

    [Fact]
    public async Task Export_RatioOfOne_EachRequestButNoProbe()
    {
        await using (var gateway = await StartAsync("grpc", "1"))
        {
            for (var i = 0; i < 10; i++)
                await gateway.Client.GetStringAsync("/api/v1/values?node=i=2258");
            await gateway.Client.GetStringAsync("/livez");
            await gateway.StopAsync();
        }

        Assert.Equal(10, _receiver.Spans.Count(static span => span.Name == "GET /api/v1/values"));
        Assert.DoesNotContain(_receiver.Spans, static span => span.Tags.GetValueOrDefault("url.path") == "/livez");
    }

    /// <summary>From accept to OpenSecureChannel, and a connection that comes to none.</summary>
    [Fact]
    public async Task Export_RatioOfOne_OpeningOfEachConnection()
    {
        await using (var gateway = await StartAsync("grpc", "1"))
        {
            using var client = new UaClient(new ClientOptions());
            await using (await ConnectAsync(client, gateway))
            {
            }

            using var wrong = new TcpClient();
            await wrong.ConnectAsync(IPAddress.Loopback, gateway.Get<UaTcpOptions>().EndPoint.Port);
            await wrong.GetStream().WriteAsync("MSGF\x10\0\0\0\0\0\0\0\0\0\0\0"u8.ToArray());
            while (await wrong.GetStream().ReadAsync(new byte[256]) > 0)
            {
            }

            await gateway.StopAsync();
        }

        var openings = _receiver.Spans.Where(static span => span.Name == "OpenSecureChannel").ToList();
        // One for discovery and one for the session.
        var opened = openings.Where(static span => span.Tags.ContainsKey("opcua.security_policy")).ToList();
        Assert.Equal(2, opened.Count);
        Assert.All(opened, static span =>
        {
            Assert.Equal(SpanRole.Server, span.Role);
            Assert.Equal("", span.ParentId);
            Assert.Equal(["Hello", "Open"], span.Events);
            Assert.Equal(("None", "opc.tcp"), (span.Tags["opcua.security_policy"], span.Tags["opcua.transport"]));
            Assert.True(span.Duration > TimeSpan.Zero);
        });
        var ended = Assert.Single(openings, static span => span.Tags.ContainsKey("opcua.close_reason"));
        Assert.Equal("MessageTypeInvalid", ended.Tags["opcua.close_reason"]);
        Assert.Empty(ended.Events);
    }

    [Fact]
    public async Task Export_CallerThatWantsNoTrace_None()
    {
        await using (var gateway = await StartAsync("grpc", "1"))
        {
            var asked = new ActivityContext(
                ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.None);
            using var answer = await SendAsync(
                gateway.Client, HttpMethod.Get, "/api/v1/values?node=i=2258", asked, null);
            await gateway.StopAsync();
        }

        Assert.Empty(_receiver.Spans);
    }

    [Fact]
    public async Task Export_CollectorThatHolds_QueueBoundedRestCounted()
    {
        var held = new TaskCompletionSource();
        _receiver.Gate = held.Task;
        await using var gateway = await StartAsync("grpc", "1", "--Limits:MaxOtlpQueueLength=1");
        var traces = gateway.Get<OtlpCounters>().Traces;

        while (traces.Dropped == 0)
            await gateway.Client.GetStringAsync("/api/v1/values?node=i=2258");

        Assert.InRange(traces.Waiting, 0, 1);
        Assert.Contains(
            "gateway_otlp_dropped_total{signal=\"traces\"}", await gateway.Client.GetStringAsync("/metrics"),
            StringComparison.Ordinal);
        held.SetResult();
    }

    [Fact]
    public async Task Export_CallersAskTooOften_RatioDecidesAndTheRestIsCounted()
    {
        await using var gateway = await StartAsync("grpc", "0", "--Limits:MaxAskedTracesPerSecond=1");
        var above = "gateway_traces_asked_above_total ";

        string metrics;
        do
        {
            for (var i = 0; i < 3; i++)
                (await SendAsync(gateway.Client, HttpMethod.Get, "/api/v1/values?node=i=2258", NewContext(), null))
                    .Dispose();
            metrics = await gateway.Client.GetStringAsync("/metrics");
        }
        while (metrics.Contains(above + "0\n", StringComparison.Ordinal));

        Assert.Contains(above, metrics, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Export_CollectorRefuses_CountedAndRequestsGoOn()
    {
        _receiver.Status = 400;
        await using var gateway = await StartAsync("http/protobuf", "1");
        var traces = gateway.Get<OtlpCounters>().Traces;

        while (traces.Failed == 0)
            Assert.NotEmpty(await gateway.Client.GetStringAsync("/api/v1/values?node=i=2258"));

        Assert.Equal(0, traces.Exported);
    }

    [Fact]
    public async Task Off_ByDefault_NothingIsPutTogether()
    {
        await using var gateway = await RunningGateway.StartAsync();

        Assert.Null(gateway.Services.GetService(typeof(OtlpExport)));
        Assert.False(gateway.Get<Transport.Tracing.RequestTracing>().IsOn);
    }

    private Task<RunningGateway> StartAsync(string protocol, string ratio, params string[] more) =>
        RunningGateway.StartAsync(
        [
            $"--Otlp:Endpoint={_receiver.Endpoint(protocol)}", $"--Otlp:Protocol={protocol}",
            $"--Otlp:SampleRatio={ratio}", .. more,
        ]);

    private static ActivityContext NewContext() => new(
        ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);

    private static async Task<HttpResponseMessage> SendAsync(
        HttpClient client, HttpMethod method, string path, ActivityContext asked, string? json)
    {
        using var request = new HttpRequestMessage(method, path);
        request.Headers.Add(
            "traceparent", $"00-{asked.TraceId}-{asked.SpanId}-{(asked.TraceFlags == 0 ? "00" : "01")}");
        if (json is not null)
            request.Content = new StringContent(json, Encoding.UTF8, new MediaTypeHeaderValue("application/json"));
        return await client.SendAsync(request);
    }

    private static ExtensionObject HeaderOf(ActivityContext asked, bool isSpanContext)
    {
        var (trace, span) = (new byte[16], new byte[8]);
        asked.TraceId.CopyTo(trace);
        asked.SpanId.CopyTo(span);
        var value = isSpanContext
            ? Variant.FromStructure(new SpanContextDataType
            {
                TraceId = new Guid(trace),
                SpanId = BitConverter.ToUInt64(span),
            })
            : new Variant($"00-{asked.TraceId}-{asked.SpanId}-01");
        var key = new QualifiedName(isSpanContext ? "SpanContext" : "traceparent");
        return new ExtensionObject(new AdditionalParametersType
        {
            Parameters = [new KeyValuePair { Key = key, Value = value }],
        });
    }

    private static string UrlOf(RunningGateway gateway) => string.Create(
        CultureInfo.InvariantCulture, $"opc.tcp://127.0.0.1:{gateway.Get<UaTcpOptions>().EndPoint.Port}");

    private static ValueTask<ClientSession> ConnectAsync(UaClient client, RunningGateway gateway) =>
        client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = UrlOf(gateway),
            SecurityPolicyUri = SecurityPolicies.None.Uri,
        });

    /// <summary>Until the upstream's method and its object are there.</summary>
    private static async Task ServedAsync(HttpClient client)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (true)
        {
            using var body = new StringContent(CallOfAdd, Encoding.UTF8, "application/json");
            using var answer = await client.PostAsync("/api/v1/call", body, patience.Token);
            if (answer.IsSuccessStatusCode)
                return;
            await look.WaitForNextTickAsync(patience.Token);
        }
    }
}
