namespace Gateway.Tests.Http;

/// <summary>Tests that read a value at <c>/metrics</c> run alone: gateways of one process have meters of the same
/// names, so that each would show the values of all, and lose its own when another ends.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class OwnMetrics
{
    public const string Name = "own metrics";
}
