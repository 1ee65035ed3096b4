using System.Collections.Frozen;
using System.Reflection;
using Gateway.Codec;

namespace Gateway.Host.Configuration;

/// <summary>The keys that a running gateway takes over; the others are as they were at the start. A limit is one of
/// them unless it is marked as <see cref="CopiedAtStartAttribute"/>.</summary>
internal static class LiveKeys
{
    private const string PubSub = "PubSub";

    private static readonly string[] Sections =
    [
        "Users", "Anonymous", "Pki:TrustedUserRoles", "Upstreams", "Log:Level", "Log:Levels", "PubSub:DataSets",
        "PubSub:Connections",
    ];

    private static readonly FrozenSet<string> FixedLimits = LimitTable.Records
        .SelectMany(static record => record.GetProperties().Where(
            limit => IsCopied(record) || IsCopied(limit)))
        .Select(static limit => limit.Name)
        .ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <param name="key">A key or its pattern: <c>Upstreams:0:Name</c>, <c>Upstreams:N:Name</c>.</param>
    public static bool Contains(string key) =>
        key.StartsWith(LimitsReader.Section + ":", StringComparison.OrdinalIgnoreCase)
            ? IsLimit(key[(LimitsReader.Section.Length + 1)..])
            : Array.Exists(Sections, section => key.StartsWith(section, StringComparison.OrdinalIgnoreCase) &&
                (key.Length == section.Length || key[section.Length] == ':'));

    /// <summary>The same for one gateway: what publishes is there only where something was published at the start.
    /// </summary>
    /// <param name="key">A key or its pattern.</param>
    /// <param name="start">Its configuration at the start.</param>
    public static bool Contains(string key, ConfigurationLayers start) => Contains(key) &&
        (!key.StartsWith(PubSub, StringComparison.OrdinalIgnoreCase) || start.HasAny("PubSub:Connections"));

    /// <param name="name">Of a limit, without its section.</param>
    public static bool IsLimit(string name) => !FixedLimits.Contains(name);

    private static bool IsCopied(MemberInfo member) => member.IsDefined(typeof(CopiedAtStartAttribute));
}
