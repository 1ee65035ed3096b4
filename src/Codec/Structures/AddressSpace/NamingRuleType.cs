namespace Gateway.Codec.Structures;

public enum NamingRuleType
{
    Mandatory = 1,
    Optional = 2,
    Constraint = 3,
}
