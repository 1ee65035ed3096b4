using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>Fields that hold a structure or one that derives from it. Source: Part 6 §5.1.7.</summary>
[Structure(900_007, 900_008)]
public sealed partial class SubtypedSample
{
    [AllowSubtypes(typeof(UserIdentityToken))]
    public ExtensionObject Token { get; init; }

    [AllowSubtypes(typeof(UserIdentityToken))]
    public ExtensionObject[]? Tokens { get; init; }

    public UnionSample Choice { get; init; } = new();
}
