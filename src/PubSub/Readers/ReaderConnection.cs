using Gateway.Mqtt;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>
/// The way in from one broker: a client of its own, which subscribes to the topics of each publisher that a reader
/// names. Messages are read on the client's loop, one after the other: a slow one makes the broker wait. Owner: the
/// service.
/// </summary>
internal sealed partial class ReaderConnection : IAsyncDisposable
{
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(250);

    private readonly MqttClient _client;
    private readonly IReadOnlyList<DataSetReader> _readers;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private string _lastWords = "";
    private ITimer? _timer;

    /// <param name="client">Not started; this disposes it.</param>
    /// <param name="options">Of the connection.</param>
    /// <param name="readers">Of all groups.</param>
    /// <param name="input">Reads the messages.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Of the connection.</param>
    public ReaderConnection(
        MqttClient client, ConnectionOptions options, IReadOnlyList<DataSetReader> readers, JsonInput input,
        TimeProvider time, ILogger logger)
    {
        (_client, Options, _readers, _time, _logger) = (client, options, readers, time, logger);
        _client.StateChanged += OnStateChanged;
        foreach (var publisher in readers.GroupBy(static one => one.PublisherId))
        {
            var topics = new TopicTree(options.TopicPrefix, publisher.Key);
            var own = publisher.ToList();
            Subscribe(topics.Status(isJson: true));
            Subscribe(topics.AllMetaData(isJson: true));
            Subscribe(topics.AllData(isJson: true));

            void Subscribe(string filter) => _client.Subscribe(
                new MqttSubscriptionOptions { Filter = filter, Qos = MqttQos.AtLeastOnce },
                message =>
                {
                    input.Take(publisher.Key, message.Payload.Span, own);
                    return default;
                });
        }
    }

    public ConnectionOptions Options { get; }

    public IReadOnlyList<DataSetReader> Readers => _readers;

    public IEnumerable<ReaderReport> Report() => _readers.Select(static one => one.Report());

    public void Start()
    {
        _client.Start();
        _timer = Contained.Every(_time, CheckInterval, CheckTimeouts, error => LogFault(_logger, error));
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        await _client.DisposeAsync().ConfigureAwait(false);
    }

    private void CheckTimeouts()
    {
        foreach (var reader in _readers)
            reader.CheckTimeout();
    }

    /// <summary>Once for each cause, not for each attempt.</summary>
    private void OnStateChanged(MqttStateChange change)
    {
        if (change.State == MqttClientState.Connected)
        {
            _lastWords = "";
            LogConnected(_logger);
        }
        else if (change.State is MqttClientState.Refused or MqttClientState.Lost && change.Words != _lastWords)
        {
            _lastWords = change.Words;
            LogLost(_logger, change.Words);
        }
    }

    [LoggerMessage(6301, LogLevel.Information, "PubSub: readers are connected to the broker")]
    private static partial void LogConnected(ILogger logger);

    [LoggerMessage(6302, LogLevel.Warning, "PubSub: readers have no connection to the broker ({Words})")]
    private static partial void LogLost(ILogger logger, string words);

    [LoggerMessage(6303, LogLevel.Error, "PubSub: a fault of the gateway at its readers")]
    private static partial void LogFault(ILogger logger, Exception error);
}
