namespace Gateway.Codec.Structures;

[Structure(15634, 15736)]
public sealed partial class IdentityMappingRuleType
{
    public IdentityCriteriaType CriteriaType { get; init; }

    public string? Criteria { get; init; }
}
