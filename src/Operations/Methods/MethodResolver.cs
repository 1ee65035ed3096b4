using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using static Gateway.Codec.Types.StandardIds.ReferenceTypes;

namespace Gateway.Operations.Methods;

/// <summary>Finds the method of a CallMethodRequest. The client may name the object's own method or the one of its
/// type; the object's own is used if it has one. Source: Part 4 §5.12.2.</summary>
public sealed class MethodResolver(NodeTable nodes, ValueStore values, NodeAccess access)
{
    private const int MaxTypeDepth = 64;

    private static readonly QualifiedName InputArgumentsName = new("InputArguments");

    /// <summary>Errors: Bad_NodeIdUnknown, Bad_MethodInvalid, Bad_NotExecutable, Bad_UserAccessDenied,
    /// Bad_SecurityModeInsufficient; Bad_NotImplemented if no source serves the method.</summary>
    /// <param name="caller">The caller of the request.</param>
    /// <param name="request">The call.</param>
    /// <param name="target">Valid after Good.</param>
    /// <param name="looked">An upper bound of the visited references: units of work.</param>
    public StatusCode Resolve(Caller caller, CallMethodRequest request, out MethodTarget target, out int looked)
    {
        target = default;
        looked = 0;
        var on = nodes.Find(request.ObjectId);
        if (on.IsNone || !access.IsVisible(caller, on))
            return StatusCodes.BadNodeIdUnknown;
        var named = nodes.Find(request.MethodId);
        if (nodes.GetNodeClass(named) != NodeClass.Method || !access.IsVisible(caller, named))
            return StatusCodes.BadMethodInvalid;
        looked = nodes.References(on).Count;
        var method = HasMethod(on, named) ? named : OfType(on, named);
        if (method.IsNone || !access.IsVisible(caller, method))
            return StatusCodes.BadMethodInvalid;
        if (nodes.ReadAttribute(method, AttributeId.Executable, out var executable).IsBad || !executable.AsBoolean())
            return StatusCodes.BadNotExecutable;
        var status = access.CheckCall(caller, on, method);
        if (status.IsBad)
            return status;
        // The object's source: several servers may have one type, and so its method, in common.
        if ((nodes.SourceOf(on) as IMethodSource ?? nodes.SourceOf(method) as IMethodSource) is not { } source)
            return StatusCodes.BadNotImplemented;
        target = new MethodTarget(on, method, source, InputArgumentsOf(method));
        return StatusCode.Good;
    }

    /// <summary>Scans the references of whichever of the two nodes has fewer.</summary>
    private bool HasMethod(NodeHandle owner, NodeHandle method)
    {
        var hasComponent = nodes.Find(new NodeId(HasComponent));
        var (forward, inverse) = (nodes.References(owner), nodes.References(method));
        var isForward = forward.Count <= inverse.Count;
        foreach (var reference in isForward ? forward : inverse)
        {
            if (reference.IsForward == isForward && reference.Target == (isForward ? method : owner) &&
                nodes.IsSubtypeOf(reference.ReferenceType, hasComponent))
                return true;
        }

        return false;
    }

    /// <summary>The object's method of the same name, if its type or a supertype has the named one.</summary>
    private NodeHandle OfType(NodeHandle on, NodeHandle named)
    {
        var type = nodes.TypeDefinitionOf(on)?.Target ?? default;
        for (var depth = 0; !type.IsNone && depth < MaxTypeDepth; depth++)
        {
            if (HasMethod(type, named))
                return OwnMethod(on, nodes.GetBrowseName(named));
            type = nodes.GetSuperType(type);
        }

        return default;
    }

    private NodeHandle OwnMethod(NodeHandle on, QualifiedName name)
    {
        foreach (var reference in nodes.References(on))
        {
            if (reference.IsForward && nodes.GetNodeClass(reference.Target) == NodeClass.Method &&
                nodes.GetBrowseName(reference.Target) == name)
                return reference.Target;
        }

        return default;
    }

    private Argument[] InputArgumentsOf(NodeHandle method)
    {
        foreach (var reference in nodes.References(method))
        {
            if (!reference.IsForward || nodes.GetNodeId(reference.ReferenceType) != new NodeId(HasProperty) ||
                nodes.GetBrowseName(reference.Target) != InputArgumentsName)
                continue;
            return Arguments(ReadNow(reference.Target));
        }

        return [];
    }

    private Variant ReadNow(NodeHandle property)
    {
        var source = nodes.SourceOf(property);
        if (source is not null && source.TryRead(property, double.MaxValue, out var value))
            return value.Value;
        return values.Read(property).Value;
    }

    private static Argument[] Arguments(in Variant value)
    {
        var bodies = value.AsArray<ExtensionObject>() ?? [];
        var arguments = new Argument[bodies.Length];
        for (var i = 0; i < bodies.Length; i++)
            arguments[i] = bodies[i].Body as Argument ?? new Argument();
        return arguments;
    }
}
