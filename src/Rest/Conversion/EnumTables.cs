using Gateway.Codec.Types;
using Gateway.Operations.Work;

namespace Gateway.Rest.Conversion;

/// <summary>The enumerations of one request. Each is decoded once, as work of the request, however many values are of
/// it (R44). Owner: the request.</summary>
internal sealed class EnumTables(EnumNames names, WorkTurn turn)
{
    /// <summary>A request for more than these decodes some of them again.</summary>
    private const int MaxKept = 64;

    private static readonly NodeId Int32 = new(StandardIds.DataTypes.Int32);

    private readonly Dictionary<NodeId, EnumTable?> _tables = [];

    /// <summary>Null for a type that is no enumeration, and for an enumeration whose names are unknown, or
    /// not for the caller.</summary>
    public EnumTable? Of(in ExpectedType type)
    {
        if (type.BuiltInType != BuiltInType.Int32 || type.DataType == Int32)
            return null;
        if (_tables.TryGetValue(type.DataType, out var table))
            return table;
        if (_tables.Count >= MaxKept)
            _tables.Clear();
        var fields = names.FieldsOf(turn.Caller, type.DataType);
        turn.Take(1 + (fields?.Length ?? 0));
        return _tables[type.DataType] = fields is null ? null : new EnumTable(fields);
    }
}
