namespace Gateway.Codec.Types;

/// <summary>Numeric identifiers of standard nodes (namespace 0) that the code names, by node class and with the
/// standard's symbols. Only ids that the code uses: the address space itself comes from the table. Source: Part 6 Annex
/// A.3.</summary>
public static partial class StandardIds
{
}
