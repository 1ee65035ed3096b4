using System.Text;

namespace Gateway.Host.Configuration;

/// <summary>The output of <c>--help</c>: the options, then every key with its default and its meaning.</summary>
internal static class HelpText
{
    private const string Options = """
        OPC UA Gateway

          --demo            a first look: no security needed, anonymous users may write and call
          --Key=Value       any of the keys below, for example --OpcUa:Port=4841
          --hash-password   reads a password from standard input and prints its PasswordHash
          --version         prints the version
          --help            prints this text
          config check FILE, config diff A B, config schema, config docs
                            about configuration files; they start no server
          import FILE       prints the configuration that does what OPC Publisher does with its published-nodes file
          pubsub verify FILE
                            says which messages are missing in a capture of a broker's topics
          audit verify [FOLDER]
                            says which lines of the audit files are missing, changed or added
          health            asks the gateway that runs here, by the same keys, whether it lives: exit code 0 or 1

        A key is looked for on the command line, in the environment (with __ for the colon: OpcUa__Port=4841), in the
        appsettings.json of the working directory and in the one beside the program, in this order. N is a place in a
        list, from 0. A list is taken whole from the first of them that has it; --OpcUa:SecurityPolicies=A,B is a list
        too. Times are hh:mm:ss.

        Key = default
            meaning

        """;

    public static string Make()
    {
        var text = new StringBuilder(Options);
        foreach (var key in ConfigurationKeys.All)
        {
            text.AppendLine().Append(key.Name);
            if (key.Default.Length > 0)
                text.Append(" = ").Append(key.Default);
            text.AppendLine().Append("    ").AppendLine(key.Meaning);
        }

        return text.ToString();
    }
}
