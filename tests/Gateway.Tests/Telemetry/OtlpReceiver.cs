using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using Gateway.Loadtest.Machine;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Telemetry;

/// <summary>A collector: takes OTLP by HTTP and by gRPC on two ports, and decodes it.</summary>
internal sealed class OtlpReceiver : IAsyncDisposable
{
    private const int GrpcHeaderBytes = 5;

    private readonly WebApplication _application;
    private readonly int _httpPort = FreePort.Next();
    private readonly int _grpcPort = FreePort.Next();

    private OtlpReceiver()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, _httpPort);
            kestrel.Listen(IPAddress.Loopback, _grpcPort, static port => port.Protocols = HttpProtocols.Http2);
        });
        _application = builder.Build();
        _application.Run(TakeAsync);
    }

    public ConcurrentQueue<ReceivedSpan> Spans { get; } = [];

    public ConcurrentQueue<ReceivedRecord> Records { get; } = [];

    /// <summary>By name: its unit.</summary>
    public ConcurrentDictionary<string, string> Metrics { get; } = [];

    /// <summary>The attributes of the resources that came.</summary>
    public ConcurrentQueue<IReadOnlyDictionary<string, string>> Resources { get; } = [];

    /// <summary>Set: requests are answered when it ends.</summary>
    public Task Gate { get; set; } = Task.CompletedTask;

    /// <summary>Other than 200: nothing is taken.</summary>
    public int Status { get; set; } = 200;

    public string Header { get; private set; } = "";

    public static async Task<OtlpReceiver> StartAsync()
    {
        var receiver = new OtlpReceiver();
        await receiver._application.StartAsync();
        return receiver;
    }

    public string Endpoint(string protocol) => string.Create(
        CultureInfo.InvariantCulture, $"http://127.0.0.1:{(protocol == "grpc" ? _grpcPort : _httpPort)}");

    /// <summary>One span of each id, in the order of their ends.</summary>
    public IReadOnlyList<ReceivedSpan> Trace(string traceId) =>
        [.. Spans.Where(span => span.TraceId == traceId).DistinctBy(static span => span.SpanId)];

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private async Task TakeAsync(HttpContext context)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        await Gate;
        context.Response.StatusCode = Status;
        if (Status != StatusCodes.Status200OK)
            return;
        var isGrpc = context.Request.ContentType == "application/grpc";
        Header = context.Request.Headers["x-plant"].ToString();
        Take(context.Request.Path, isGrpc ? Unframed(body.ToArray()) : body.ToArray());
        if (!isGrpc)
            return;
        context.Response.ContentType = "application/grpc";
        context.Response.AppendTrailer("grpc-status", "0");
        await context.Response.Body.WriteAsync(new byte[GrpcHeaderBytes]);
    }

    private static byte[] Unframed(byte[] body)
    {
        Assert.Equal(0, body[0]);
        Assert.Equal(body.Length - GrpcHeaderBytes, (int)BinaryPrimitives.ReadUInt32BigEndian(body.AsSpan(1)));
        return body[GrpcHeaderBytes..];
    }

    private void Take(string path, byte[] body)
    {
        var request = ProtobufMessage.Read(body);
        foreach (var resource in request.Messages(1))
        {
            Resources.Enqueue(Attributes.Of(resource.Message(1)?.Messages(1) ?? []));
            foreach (var scope in resource.Messages(2))
                TakeScope(path, scope.Message(1)?.Text(1) ?? "", scope);
        }
    }

    private void TakeScope(string path, string name, ProtobufMessage scope)
    {
        foreach (var item in scope.Messages(2))
        {
            if (path is "/v1/traces" or "/opentelemetry.proto.collector.trace.v1.TraceService/Export")
                Spans.Enqueue(ReceivedSpan.Of(item));
            else if (path is "/v1/logs" or "/opentelemetry.proto.collector.logs.v1.LogsService/Export")
                Records.Enqueue(ReceivedRecord.Of(name, item));
            else if (path is "/v1/metrics" or "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export")
                Metrics[item.Text(1)] = item.Text(3);
            else
                throw new InvalidDataException(path);
        }
    }
}
