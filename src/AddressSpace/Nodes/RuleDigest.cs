using System.Globalization;

namespace Gateway.AddressSpace.Nodes;

/// <summary>FNV-1a of 64 bits over access rules as texts: the same in each process that reads the same models.
/// Thread-safe.</summary>
internal sealed class RuleDigest
{
    private const ulong Seed = 14_695_981_039_346_656_037;
    private const ulong Prime = 1_099_511_628_211;

    private readonly Lock _lock = new();
    private ulong _value = Seed;

    public ulong Value
    {
        get
        {
            lock (_lock)
                return _value;
        }
    }

    /// <param name="of">A node with the URI of its namespace, or a URI.</param>
    /// <param name="rule">Its rule.</param>
    public void Add(string of, in AccessRule rule)
    {
        var entries = string.Join(';', (rule.RolePermissions ?? []).Select(static one => string.Create(
            CultureInfo.InvariantCulture, $"{one.RoleId}={(uint)one.Permissions}")));
        var text = string.Create(
            CultureInfo.InvariantCulture, $"{of}|{entries}|{(uint)(rule.Restrictions ?? 0)}\n");
        lock (_lock)
        {
            foreach (var letter in text)
                _value = (_value ^ letter) * Prime;
        }
    }
}
