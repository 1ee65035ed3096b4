using Gateway.Client;
using Gateway.Codec.Types;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Health;

/// <summary>Counts and tells the failures of one upstream's connection. Thread: the connector's loop.</summary>
/// <param name="own">The certificate that the upstream has to trust, in words.</param>
internal sealed partial class FailureTeller(
    UpstreamMetrics metrics, UpstreamHealth health, Func<string> own, ILogger log)
{
    /// <summary>Attempts to connect that the log names at first; then each of so many. All are counted.</summary>
    private const int FirstAttempts = 3;
    private const int AttemptsALine = 30;

    private readonly ILogger _log = log;
    private string _toldRemedy = "";

    /// <summary>Other options: what was told is of those of before.</summary>
    public void Reset() => _toldRemedy = "";

    public void ConnectFailed(UpstreamOptions options, int attempt, TimeSpan delay, Exception exception)
    {
        metrics.ConnectFailed();
        var failure = Fail(exception);
        // Another remedy is logged at once: the operator who trusted the server learns that it does not trust us.
        if (attempt >= FirstAttempts && (attempt + 1) % AttemptsALine != 0 && failure.Remedy == _toldRemedy)
            return;
        _toldRemedy = failure.Remedy;
        AttemptFailed(
            options.Name, options.EndpointUrl, attempt + 1, delay.TotalSeconds, failure.Text, failure.Remedy);
    }

    /// <param name="upstream">Its name.</param>
    /// <param name="why">Null: the connection's end alone.</param>
    /// <param name="bridge">So long the values keep their status.</param>
    public void Disconnected(string upstream, Exception? why, TimeSpan bridge)
    {
        var failure = Fail(why ?? new ServiceException(StatusCodes.BadConnectionClosed, "the connection ended"));
        IsAway(upstream, failure.Text, bridge.TotalSeconds);
    }

    private UpstreamFailure Fail(Exception exception)
    {
        if (exception is UpstreamBoundException bound)
            metrics.Met(bound.Bound);
        else if (exception is ServiceException { Fault: ConnectFault.TooManyEndpoints })
            metrics.Met(UpstreamBound.MaxUpstreamEndpoints);
        var failure = UpstreamFailure.Of(exception, own());
        health.Failed(failure);
        return failure;
    }

    [LoggerMessage(5003, LogLevel.Warning,
        "Upstream {Upstream} is away; its values keep their status for {Seconds:0.0} s, then its nodes carry "
            + "Bad_NoCommunication until it is back: {Reason}")]
    private partial void IsAway(string upstream, string reason, double seconds);

    [LoggerMessage(5004, LogLevel.Warning,
        "Upstream {Upstream} at {EndpointUrl}: attempt {Attempt} failed ({Reason}), next in {Seconds:0.0} s. {Remedy}")]
    private partial void AttemptFailed(
        string upstream, string endpointUrl, int attempt, double seconds, string reason, string remedy);
}
