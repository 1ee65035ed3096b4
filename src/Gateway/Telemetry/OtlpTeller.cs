using Gateway.Host.Configuration;

namespace Gateway.Host.Telemetry;

/// <summary>Says in the log whether the collector takes what it gets. It exists before the log does.</summary>
internal sealed partial class OtlpTeller(OtlpOptions options)
{
    private ILogger? _logger;

    public void Start(ILogger logger) => _logger = logger;

    /// <param name="signal">Traces, metrics or logs.</param>
    /// <param name="isAway">False: it takes them again.</param>
    public void Tell(string signal, bool isAway)
    {
        if (_logger is not { } logger)
            return;
        if (isAway)
            LogAway(logger, options.Endpoint!, signal, options.IsGrpc ? "grpc" : "http/protobuf");
        else
            LogBack(logger, options.Endpoint!, signal);
    }

    [LoggerMessage(
        EventId = 5401, Level = LogLevel.Warning,
        Message = "The collector at {Endpoint} does not take {Signal} by {Protocol}: they are lost until it does. Is "
            + "it there, and does it take this protocol on this port? (Otlp:Endpoint, Otlp:Protocol)")]
    private static partial void LogAway(ILogger logger, Uri endpoint, string signal, string protocol);

    [LoggerMessage(
        EventId = 5402, Level = LogLevel.Information, Message = "The collector at {Endpoint} takes {Signal} again")]
    private static partial void LogBack(ILogger logger, Uri endpoint, string signal);
}
