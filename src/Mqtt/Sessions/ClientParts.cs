using Gateway.Mqtt.Options;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Sessions;

/// <summary>The parts of one client that outlive its connections.</summary>
internal sealed class ClientParts
{
    public ClientParts(MqttClientOptions options, TimeProvider time)
    {
        (Options, Time) = (options, time);
        Subscriptions = new SubscriptionBook(options.Version, options.Limits, time, Counters);
        Outbound = new OutboundSession(options, time, Counters, Subscriptions);
        Inbox = new Inbox(options.Limits, Counters);
    }

    public MqttClientOptions Options { get; }

    public TimeProvider Time { get; }

    public MqttCounters Counters { get; } = new();

    public OutboundSession Outbound { get; }

    public SubscriptionBook Subscriptions { get; }

    public Inbox Inbox { get; }
}
