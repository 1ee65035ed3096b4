
namespace Gateway.Rest.Nodes;

/// <summary>The members of a node's description.</summary>
[Flags]
internal enum NodeFields
{
    None = 0,
    Node = 1,
    NodeClass = 2,
    BrowseName = 4,
    DisplayName = 8,
    Description = 16,
    TypeDefinition = 32,
    DataType = 64,
    ValueRank = 128,
    Access = 256,
    Path = 512,
    All = 1023,
}
