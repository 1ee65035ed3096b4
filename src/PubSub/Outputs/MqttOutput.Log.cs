using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

internal sealed partial class MqttOutput
{
    [LoggerMessage(6101, LogLevel.Information, "PubSub: connected to the broker")]
    private static partial void LogConnected(ILogger logger);

    [LoggerMessage(6102, LogLevel.Warning,
        "PubSub: no connection to the broker ({Words}); messages wait in the store")]
    private static partial void LogLost(ILogger logger, string words);

    [LoggerMessage(6103, LogLevel.Error,
        "PubSub: the broker does not take a message ({Outcome}, {Reason}); it is lost")]
    private static partial void LogDiscarded(ILogger logger, MqttPublishOutcome outcome, MqttReasonCode reason);

    [LoggerMessage(6107, LogLevel.Warning, "PubSub: {Words}; the messages come again in {Pause}")]
    private static partial void LogRefusing(ILogger logger, string words, TimeSpan pause);

    [LoggerMessage(6104, LogLevel.Warning, "PubSub: the broker does not take {Topic} ({Outcome})")]
    private static partial void LogRefused(ILogger logger, string topic, MqttPublishOutcome outcome);

    [LoggerMessage(6106, LogLevel.Error, "PubSub: a fault of the gateway at the broker's connection")]
    private static partial void LogFault(ILogger logger, Exception error);
}
