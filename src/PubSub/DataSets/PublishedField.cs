using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.DataSets;

/// <summary>A field of a DataSet.</summary>
/// <param name="Name">Unique in the DataSet.</param>
/// <param name="Node">The Variable whose values it carries; null: there is no such node now.</param>
/// <param name="Options">Settings of its own; null: those of the data set.</param>
public readonly record struct PublishedField(string Name, NodeId Node, FieldOptions? Options = null)
{
    /// <summary>Of an event's field: the Variable of a type that describes it; null: there is none.</summary>
    public NodeId Declaration { get; init; }

    /// <summary>Of a field that is no Variable; Null: as the Variable says.</summary>
    public BuiltInType Type { get; init; }
}
