using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;

namespace Gateway.Operations.Methods;

/// <summary>A method as it is called: on which object, served by whom, with which inputs.</summary>
public readonly record struct MethodTarget(
    NodeHandle Object, NodeHandle Method, IMethodSource Source, Argument[] InputArguments);
