using System.Collections.Frozen;
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
/// names. Messages are read on the client's loop, one after the other: a slow one makes the broker wait. Other groups
/// change the subscriptions alone: the connection goes on.</summary>
internal sealed partial class BrokerLink : IReaderLink
{
    private readonly MqttClient _client;
    private readonly string _topicPrefix;
    private readonly ILogger _logger;
    private readonly Dictionary<string, MqttSubscription> _subscriptions = new(StringComparer.Ordinal);
    private volatile FrozenDictionary<string, Route> _routes = FrozenDictionary<string, Route>.Empty;
    private volatile string _words = "not connected yet";
    private string _told = "";
    private long _messages;
    private long _strangers;

    /// <param name="client">Not started; this disposes it.</param>
    /// <param name="topicPrefix">The first level of the topics.</param>
    /// <param name="logger">Of the connection.</param>
    public BrokerLink(MqttClient client, string topicPrefix, ILogger logger)
    {
        (_client, _topicPrefix, _logger) = (client, topicPrefix, logger);
        _client.StateChanged += OnStateChanged;
    }

    public void Start() => _client.Start();

    /// <summary>Where an input is new, retained topics are subscribed to anew: the broker gives them once.</summary>
    public void Change(IReadOnlyList<ReaderGroup> groups)
    {
        var (before, next) = (_routes, RoutesOf(groups));
        _routes = next;
        try
        {
            foreach (var gone in _subscriptions.Keys.Where(filter => !next.TryGetValue(filter, out var now) ||
                (now.IsRetained && now.Inputs.Except(before.GetValueOrDefault(filter)?.Inputs ?? []).Any())).ToList())
            {
                if (_subscriptions.Remove(gone, out var subscription))
                    _ = subscription.UnsubscribeAsync();
            }

            foreach (var (filter, _) in next.Where(one => !_subscriptions.ContainsKey(one.Key))
                .OrderBy(static one => one.Value.Order))
                _subscriptions[filter] = Subscribe(filter);
        }
        catch (InvalidOperationException)
        {
            // The routes before: the caller comes again with their groups.
            _routes = before;
            throw;
        }
    }

    public ReaderConnectionReport Describe(ReaderConnectionReport report)
    {
        var isConnected = _client.State == MqttClientState.Connected;
        return report with
        {
            State = isConnected ? PubSubState.Operational : PubSubState.Error,
            Detail = isConnected ? "" : _words,
            Connects = _client.Counters.Connections,
            Messages = Interlocked.Read(ref _messages),
            Strangers = Interlocked.Read(ref _strangers),
        };
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private FrozenDictionary<string, Route> RoutesOf(IReadOnlyList<ReaderGroup> groups)
    {
        var routes = new Dictionary<string, Route>(StringComparer.Ordinal);
        var inputs = groups.SelectMany(static group => group.Readers.Select(
            reader => (reader.PublisherId, IsJson: !group.Options.IsUadp, group.Input))).Distinct();
        foreach (var group in inputs.GroupBy(static one => (one.PublisherId, one.IsJson)))
        {
            var (publisher, isJson) = group.Key;
            var topics = new TopicTree(_topicPrefix, publisher);
            var all = group.Select(static one => one.Input).ToList();
            var withStatus = all.Where(static one => one.TakesStatus).ToList();
            if (withStatus.Count > 0)
                routes[topics.Status(isJson)] = new Route(publisher, withStatus, IsRetained: true, Order: 0);
            routes[topics.AllMetaData(isJson)] = new Route(publisher, all, IsRetained: true, Order: 1);
            routes[topics.AllData(isJson)] = new Route(publisher, all, IsRetained: false, Order: 2);
        }

        return routes.ToFrozenDictionary(StringComparer.Ordinal);
    }

    private MqttSubscription Subscribe(string filter) => _client.Subscribe(
        new MqttSubscriptionOptions { Filter = filter, Qos = MqttQos.AtLeastOnce },
        message =>
        {
            Interlocked.Increment(ref _messages);
            var isTaken = false;
            if (_routes.TryGetValue(filter, out var route))
            {
                foreach (var input in route.Inputs)
                    isTaken |= input.TryTake(route.Publisher, message.Payload.Span);
            }

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

    /// <param name="Publisher">Of the topics.</param>
    /// <param name="Inputs">Of the groups that have readers of it.</param>
    /// <param name="IsRetained">The broker keeps the messages.</param>
    /// <param name="Order">Of subscribing: metadata comes before the data that needs it.</param>
    private sealed record Route(string Publisher, List<IReaderInput> Inputs, bool IsRetained, int Order);
}
