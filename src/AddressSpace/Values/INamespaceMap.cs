namespace Gateway.AddressSpace.Values;

/// <summary>The namespace indexes of another side (an upstream, a publisher) ↔ the gateway's. Index 0 is the same on
/// both sides.</summary>
public interface INamespaceMap
{
    /// <summary>No index changes.</summary>
    bool IsIdentity { get; }

    /// <summary>False: there is no counterpart.</summary>
    bool TryToLocal(ushort index, out ushort local);

    /// <summary>False: there is no counterpart.</summary>
    bool TryToOther(ushort index, out ushort other);
}
