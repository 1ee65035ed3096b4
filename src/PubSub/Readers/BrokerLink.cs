using Gateway.Codec.Structures;
using Gateway.Mqtt;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>One broker: a client of the readers' own, which subscribes to the topics of each publisher that a reader
/// names. Messages are read on the client's loop, one after the other: a slow one makes the broker wait.</summary>
internal sealed partial class BrokerLink : IReaderLink
{
    private readonly MqttClient _client;
    private readonly ILogger _logger;
    private volatile string _words = "not connected yet";
    private string _told = "";
    private long _messages;
    private long _strangers;

    /// <param name="client">Not started; this disposes it.</param>
    /// <param name="topicPrefix">The first level of the topics.</param>
    /// <param name="inputs">For each publisher, those of its groups.</param>
    /// <param name="logger">Of the connection.</param>
    public BrokerLink(
        MqttClient client, string topicPrefix, IEnumerable<(string Publisher, bool IsJson, IReaderInput Input)> inputs,
        ILogger logger)
    {
        (_client, _logger) = (client, logger);
        _client.StateChanged += OnStateChanged;
        foreach (var group in inputs.Distinct().GroupBy(static one => (one.Publisher, one.IsJson)))
        {
            var (publisher, isJson) = group.Key;
            var topics = new TopicTree(topicPrefix, publisher);
            var all = group.Select(static one => one.Input).ToList();
            var withStatus = all.Where(static one => one.TakesStatus).ToList();
            if (withStatus.Count > 0)
                Subscribe(topics.Status(isJson), publisher, withStatus);
            Subscribe(topics.AllMetaData(isJson), publisher, all);
            Subscribe(topics.AllData(isJson), publisher, all);
        }
    }

    public void Start() => _client.Start();

    public ReaderConnectionReport Describe(ReaderConnectionReport report)
    {
        var isConnected = _client.State == MqttClientState.Connected;
        return report with
        {
            State = isConnected ? PubSubState.Operational : PubSubState.Error,
            Detail = isConnected ? "" : _words,
            Messages = Interlocked.Read(ref _messages),
            Strangers = Interlocked.Read(ref _strangers),
        };
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private void Subscribe(string filter, string publisher, List<IReaderInput> inputs) => _client.Subscribe(
        new MqttSubscriptionOptions { Filter = filter, Qos = MqttQos.AtLeastOnce },
        message =>
        {
            Interlocked.Increment(ref _messages);
            var isTaken = false;
            foreach (var input in inputs)
                isTaken |= input.TryTake(publisher, message.Payload.Span);
            if (!isTaken)
                Interlocked.Increment(ref _strangers);
            return default;
        });

    /// <summary>Told once for each cause, not for each attempt.</summary>
    private void OnStateChanged(MqttStateChange change)
    {
        if (change.State == MqttClientState.Connected)
        {
            _told = "";
            LogConnected(_logger);
        }
        else if (change.State is MqttClientState.Refused or MqttClientState.Lost)
        {
            _words = change.Words;
            if (_told == change.Words)
                return;
            _told = change.Words;
            LogLost(_logger, change.Words);
        }
    }

    [LoggerMessage(6301, LogLevel.Information, "PubSub: readers are connected to the broker")]
    private static partial void LogConnected(ILogger logger);

    [LoggerMessage(6302, LogLevel.Warning, "PubSub: readers have no connection to the broker ({Words})")]
    private static partial void LogLost(ILogger logger, string words);
}
