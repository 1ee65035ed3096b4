using Gateway.Codec.Types;

namespace Gateway.PubSub.DataSets;

/// <summary>A field of a DataSet.</summary>
/// <param name="Name">Unique in the DataSet.</param>
/// <param name="Node">The Variable whose values it carries; null: there is no such node now.</param>
public readonly record struct PublishedField(string Name, NodeId Node);
