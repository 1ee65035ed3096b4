using System.IO.Pipelines;

namespace Gateway.Transport.Http;

/// <summary>The transport of a socket with a <see cref="FairReader"/>.</summary>
internal sealed class FairTransport(IDuplexPipe inner) : IDuplexPipe
{
    public PipeReader Input { get; } = new FairReader(inner.Input, static () => Environment.TickCount64);

    public PipeWriter Output => inner.Output;
}
