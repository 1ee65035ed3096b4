using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Outputs;

/// <summary>Answers probes of subscribers at a connection of datagrams. Owner: its output. Threads: any.</summary>
internal interface IProbeAnswers : IAsyncDisposable
{
    /// <summary>Probes for this publisher that were read.</summary>
    long Taken { get; }

    /// <summary>Too many, unreadable, or with less security than their group.</summary>
    long Refused { get; }

    /// <summary>From now on probes come in.</summary>
    void Start();

    /// <summary>The connection as subscribers may know it.</summary>
    void Use(PubSubConnectionDataType connection);

    /// <param name="group">In place of one with its name.</param>
    /// <param name="announcer">Of the group.</param>
    /// <param name="keys">Null: its messages are not sealed.</param>
    void Add(WriterGroupOptions group, DatagramAnnouncer announcer, ISecurityKeySource? keys);

    void Remove(string group);
}
