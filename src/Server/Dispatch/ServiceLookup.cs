using System.Collections.Frozen;

namespace Gateway.Server.Dispatch;

/// <summary>Finds a service by the encoding id of its request. Frozen at start.</summary>
internal sealed class ServiceLookup(IEnumerable<KeyValuePair<uint, ServiceEntry>> entries)
{
    private readonly FrozenDictionary<uint, ServiceEntry> _entries = entries.ToFrozenDictionary();

    public IEnumerable<ServiceEntry> Entries => _entries.Values;

    /// <summary>Null for a service that is not offered.</summary>
    public ServiceEntry? Find(uint encodingId) => _entries.GetValueOrDefault(encodingId);
}
