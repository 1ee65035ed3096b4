using System.Collections.Frozen;

namespace Gateway.PubSub.Space;

/// <summary>Keys of writers and readers below their group. A group has parts of its own there, by names of the
/// standard: a writer that is called as one of them has a key one level deeper, so that both can be there. Source:
/// Part 14 §9.1.6.</summary>
internal static class PartNames
{
    private const string Writers = "DataSetWriters";
    private const string Readers = "DataSetReaders";

    private static readonly FrozenSet<string> Taken = FrozenSet.ToFrozenSet(
        [
            "Status", "Diagnostics", "WriterGroupId", "PublishingInterval", "KeepAliveTime", "Priority", "LocaleIds",
            "HeaderLayoutUri", "TransportSettings", "MessageSettings", "SecurityMode", "SecurityGroupId",
            "SecurityKeyServices", "MaxNetworkMessageSize", "GroupProperties", "AddDataSetWriter",
            "RemoveDataSetWriter", "AddDataSetReader", "RemoveDataSetReader", Writers, Readers,
        ],
        StringComparer.Ordinal);

    public static string OfWriter(string group, string name) => Of(group, Writers, name);

    public static string OfReader(string group, string name) => Of(group, Readers, name);

    private static string Of(string group, string kind, string name) =>
        Taken.Contains(name) ? $"{group}/{kind}/{name}" : $"{group}/{name}";
}
