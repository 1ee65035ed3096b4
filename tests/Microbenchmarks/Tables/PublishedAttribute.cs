namespace Gateway.Microbenchmarks.Tables;

/// <summary>What the field's reference stack publishes for the same operation, as published.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedAttribute(string figure) : Attribute
{
    public string Figure => figure;
}
