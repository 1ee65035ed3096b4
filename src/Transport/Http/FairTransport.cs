using System.IO.Pipelines;

namespace Gateway.Transport.Http;

/// <summary>The transport of a socket with a <see cref="FairReader"/> and a <see cref="WatchedWriter"/>.</summary>
internal sealed class FairTransport(IDuplexPipe inner, TimeProvider time) : IDuplexPipe
{
    private readonly WatchedWriter _output = new(inner.Output, time);

    public PipeReader Input { get; } = new FairReader(inner.Input, static () => Environment.TickCount64);

    public PipeWriter Output => _output;

    /// <summary>How long answers have waited for room, by now or when it ended. Zero: none do. Any thread.</summary>
    public TimeSpan StalledFor(long now) => _output.StalledFor(now);
}
