"""What figures are made of: colours, canvas, axes, lines, marks, and the words beside them."""
