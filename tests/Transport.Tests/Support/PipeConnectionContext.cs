using System.IO.Pipelines;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Transport.Tests.Support;

/// <summary>One end of a connection in memory. Disposing completes its pipes, as a transport does.</summary>
internal sealed class PipeConnectionContext : ConnectionContext
{
    private readonly CancellationTokenSource _closed = new();

    private PipeConnectionContext(PipeReader input, PipeWriter output)
    {
        Transport = new Duplex(input, output);
        ConnectionClosed = _closed.Token;
        RemoteEndPoint = new IPEndPoint(IPAddress.Loopback, 50000);
    }

    public override string ConnectionId { get; set; } = "pipe";

    public override IFeatureCollection Features { get; } = new FeatureCollection();

    public override IDictionary<object, object?> Items { get; set; } = new Dictionary<object, object?>();

    public override IDuplexPipe Transport { get; set; }

    public bool Aborted { get; private set; }

    public static (PipeConnectionContext Server, PipeConnectionContext Client) CreatePair(int pauseAtBytes = 65536)
    {
        var options = new PipeOptions(
            readerScheduler: PipeScheduler.Inline, writerScheduler: PipeScheduler.Inline,
            pauseWriterThreshold: pauseAtBytes, resumeWriterThreshold: pauseAtBytes / 2,
            useSynchronizationContext: false);
        var toServer = new Pipe(options);
        var toClient = new Pipe(options);
        return (new PipeConnectionContext(toServer.Reader, toClient.Writer),
            new PipeConnectionContext(toClient.Reader, toServer.Writer));
    }

    public override void Abort(ConnectionAbortedException abortReason)
    {
        Aborted = true;
        Transport.Input.CancelPendingRead();
        _closed.Cancel();
    }

    /// <summary>What a transport says when the other end has gone.</summary>
    public void HangUp() => _closed.Cancel();

    public override async ValueTask DisposeAsync()
    {
        await Transport.Input.CompleteAsync();
        await Transport.Output.CompleteAsync();
        await _closed.CancelAsync();
        await base.DisposeAsync();
    }

    private sealed class Duplex(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
